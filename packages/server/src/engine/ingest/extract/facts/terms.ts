/** Reads terms in small letters as what a statement may be about. */

import type { OntologySchema } from "../../../../domain/ontology-schema.ts";
import { headOf, readableName, singular } from "../../../text/type-names.ts";
import type { EntityMention } from "../mentions/entity-mention.ts";
import { ANCHOR_NOUNS } from "../types/anchors.ts";
import { LIGHT_NOUNS } from "../types/glossary/light-nouns.ts";
import type { TypeScores } from "../types/type-scores.ts";
import { bestOf, nameAt, type PossibleEntity } from "./found-entity.ts";
import type { Passage } from "./passage.ts";
import type { TypeRules } from "./type-rules.ts";

/** A term is an end of what a verb states of it, of a type that has at least this share of what it may be. */
const TERM = { confidence: 0.5, share: 0.1 } as const;

interface TermContext {
  readonly passage: Passage;
  readonly index: number;
  readonly mayBe: TypeRules["mayBe"];
  readonly schema: OntologySchema;
}

/** "pumps" of "makes pumps": no entity by itself, but a kind of thing that a statement may be about. */
export function readTerm(
  mention: EntityMention,
  score: TypeScores,
  { passage, index, mayBe, schema }: TermContext,
): PossibleEntity | null {
  const named = mention.isBare && mention.variantOf === null ? nameAt(passage, mention) : null;
  if (named === null || LIGHT_NOUNS.has(named.key)) return null;
  // What a type is called names none of the others either.
  if (schema.nodeTypes.some(({ name }) => headOf(readableName(name)) === singular(named.key))) return null;
  const some = 1 - score.none;
  const shares = score.types.map((share, type) => {
    if (isNamedAlone(schema.nodeTypes[type]?.name ?? "")) return 0;
    const own = some > 0 && mayBe(mention, type, named.key) ? share / some : 0;
    return own >= TERM.share ? own : 0;
  });
  const type = schema.nodeTypes[bestOf({ types: shares, none: 0 }).type]?.name;
  if (type === undefined) return null;
  return { ...mention, ...named, sentence: index, type, confidence: TERM.confidence, shares, isSure: false };
}

/** People, firms and places have names: "by solo artist" says what somebody is. */
function isNamedAlone(type: string): boolean {
  const head = headOf(readableName(type));
  return (["person", "organization", "group", "location"] as const).some((anchor) =>
    ANCHOR_NOUNS.get(anchor)?.includes(head),
  );
}
