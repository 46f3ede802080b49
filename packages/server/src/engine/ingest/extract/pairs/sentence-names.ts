/** Chooses the names of a sentence between which a relationship may be stated, with what each may be. */

import { honorifics } from "../../../text/names/name-words.ts";
import { nameAt } from "../facts/found-entity.ts";
import type { Passage } from "../facts/passage.ts";
import type { EntityMention } from "../mentions/entity-mention.ts";
import type { TaggedToken } from "../statements/tagged-token.ts";
import type { TypeScores } from "../types/type-scores.ts";

export interface SentenceName {
  readonly mention: EntityMention;
  readonly name: string;
  /** Normal form. */
  readonly key: string;
  /** How likely it is no name of the ontology's. */
  readonly none: number;
  /** For each node type the log of its share among all types. */
  readonly logShares: readonly number[];
}

export interface ScoredMentions {
  readonly tokens: readonly TaggedToken[];
  readonly mentions: readonly EntityMention[];
  /** One for each mention. */
  readonly scores: readonly TypeScores[];
}

const MAX_NAMES = 14;
/** Above, a term in small letters is none. */
const MOST_NONE = 0.97;
const LEAST_SHARE = 0.01;
const valueKinds: ReadonlySet<string> = new Set(["date", "number", "demonym"]);
const address = /^(?:professor|capt|lord|lady|sir)$/;

/** Apart from each other, in the order of the text; names go before terms, the surest first. */
export function chooseNames(
  passage: Pick<Passage, "textOf">,
  { tokens, mentions, scores }: ScoredMentions,
): readonly SentenceName[] {
  const order = mentions.map((_, at) => at).filter((at) => !valueKinds.has(mentions[at]!.kind));
  const isTerm = (at: number) => Number(mentions[at]!.kind === "noun");
  order.sort((a, b) => isTerm(a) - isTerm(b) || scores[a]!.none - scores[b]!.none || a - b);
  const chosen: SentenceName[] = [];
  for (const at of order) {
    const [mention, score] = [mentions[at]!, scores[at]!]; // One of each.
    if (chosen.length >= MAX_NAMES) break;
    if (chosen.some((other) => other.mention.from < mention.to && mention.from < other.mention.to)) continue;
    if ((mention.kind === "noun" && score.none > MOST_NONE) || isPieceOfCompound(tokens, mention)) continue;
    const bare = withoutAddress(tokens, mention);
    const named = nameAt(passage, bare);
    if (named === null) continue;
    const some = 1 - score.none + 1e-6;
    const logShares = Array.from(score.types, (share) => Math.log(share / some + LEAST_SHARE));
    chosen.push({ mention: bare, ...named, none: score.none, logShares });
  }
  return chosen.sort((a, b) => a.mention.from - b.mention.from);
}

/** "Oslo" of "Oslo-based", "Owner" of "Owner-operator". */
function isPieceOfCompound(tokens: readonly TaggedToken[], { from, to, start, end }: EntityMention): boolean {
  const [before, next] = [tokens[from - 1], tokens[to]];
  return (next?.text === "-" && next.start === end) || (before?.text === "-" && before.end === start);
}

/** "Dr Ada Holt" is named Ada Holt. */
function withoutAddress(tokens: readonly TaggedToken[], mention: EntityMention): EntityMention {
  let { from } = mention;
  while (mention.kind === "proper" && from + 1 < mention.to) {
    const word = (tokens[from]?.lower ?? "").replace(/\.$/, "");
    if (word !== "" && !honorifics.has(word) && !address.test(word)) break;
    from++;
  }
  return { ...mention, from, start: tokens[from]?.start ?? mention.start };
}
