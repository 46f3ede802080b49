/** Entities of a sentence, chosen among its mentions. */

import { ranks } from "../../../text/names/name-words.ts";
import { normalizeName } from "../../../text/names/normal-form.ts";
import type { EntityMention } from "../mentions/entity-mention.ts";
import type { TaggedToken } from "../statements/tagged-token.ts";
import { ANCHOR_NOUNS } from "../types/anchors.ts";
import type { TypeScores } from "../types/type-scores.ts";
import type { Passage } from "./passage.ts";

/** Offsets into the document's text, ranges into the sentence's tokens. */
export interface FoundEntity extends EntityMention {
  /** Index into the chunk's sentences. */
  readonly sentence: number;
  readonly name: string;
  /** Normal form. */
  readonly key: string;
  readonly type: string;
  /** 0…1 */
  readonly confidence: number;
  /** Of the types of the schema, in its order; none for what is typed otherwise. */
  readonly shares?: Float32Array;
}

/** A name that is something, with what it may be. */
export interface PossibleEntity extends FoundEntity {
  /** In the order of the schema's node types; of the open types without an ontology. */
  readonly shares: Float32Array;
  /** It is an entity of its type, whatever else the text says. */
  readonly isSure: boolean;
  /** The sentence says in words what it is. */
  readonly isDefined?: boolean;
}

const MAX_NAME_UNITS = 120;
/** What offices call their work. */
const abbreviation = /^(?:Q ?& ?A|R ?& ?D|T ?& ?C|P ?& ?L|H ?& ?S|M ?& ?A|L ?& ?D|O ?& ?M|FAQ)s?$/;
/** Currencies, and what points at a thing. */
const noName = /^(?:eur|usd|gbp|chf|jpy|cny|inr|sek|nok|dkk|(?:this|that|these|those)(?: .*)?)$/;

/** The name as written on one line, without the marks around it, and its normal form; null for what is no name, as a lone "Chief". */
export function nameAt(
  passage: Pick<Passage, "textOf">,
  mention: Pick<EntityMention, "start" | "end">,
): { readonly name: string; readonly key: string } | null {
  const name = passage
    .textOf(mention)
    .replace(/\s+/g, " ")
    .replace(/^["“”'‘’`*_\s]+|['’]s?$/g, "")
    .replace(/["“”‘`*_\s,;:]{1,120}$/, "")
    .replace(/(?<=\p{L}{2})\.$/u, "")
    .replace(/^the\s+/, "");
  const key = normalizeName(name);
  if (
    name.length > MAX_NAME_UNITS ||
    key === "" ||
    ranks.has(key) ||
    noName.test(key) ||
    abbreviation.test(name) ||
    !/[\p{L}\p{N}]/u.test(key)
  )
    return null;
  return { name, key };
}

/** Index and share of the best type. */
export function bestOf(scores: TypeScores): { readonly type: number; readonly share: number } {
  let type = -1;
  for (const [index, share] of scores.types.entries()) if (share > (scores.types[type] ?? 0)) type = index;
  return { type, share: scores.types[type] ?? 0 };
}

const commonNouns: ReadonlySet<string> = new Set([...ANCHOR_NOUNS.values()].flat());

/** "the Supplier", "this Agreement": a kind of thing written large, as contracts do, is no name. */
export function isRole(tokens: readonly TaggedToken[], { from }: EntityMention, key: string): boolean {
  if (!commonNouns.has(key)) return false;
  const first = tokens[from]?.lower ?? "";
  return /^(?:the|this|each|either|said)$/.test(first === key ? (tokens[from - 1]?.lower ?? "") : first);
}
