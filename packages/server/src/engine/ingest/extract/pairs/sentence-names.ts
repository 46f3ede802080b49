/** Chooses the names of a sentence between which a relationship may be stated, with what each may be. */

import type { Span } from "../../../../domain/graph.ts";
import { honorifics } from "../../../text/names/name-words.ts";
import { nameAt } from "../facts/found-entity.ts";
import type { Passage, PassageSentence } from "../facts/passage.ts";
import type { EntityMention } from "../mentions/entity-mention.ts";
import type { TaggedToken, TokenRange } from "../statements/tagged-token.ts";
import type { Typer, TypeScores } from "../types/type-scores.ts";

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

/** With the types of its mentions. */
export interface ScoredSentence extends PassageSentence {
  /** One for each mention. */
  readonly scores: readonly TypeScores[];
}

export interface ScoredMentions {
  readonly tokens: readonly TaggedToken[];
  readonly mentions: readonly EntityMention[];
  /** One for each mention. */
  readonly scores: readonly TypeScores[];
  /** Those whose bounds the name finder sees, too. */
  readonly whole: ReadonlySet<EntityMention>;
}

const MAX_NAMES = 14;
/** Above, a term in small letters is none. */
const MOST_NONE = 0.97;
const LEAST_SHARE = 0.01;
const valueKinds: ReadonlySet<string> = new Set(["date", "number", "demonym"]);
const address = /^(?:professor|capt|lord|lady|sir)$/;

/** With the names that the name finder sees in the sentence: it knows how the whole document writes them. */
export function withWholeNames(
  { tokens, mentions, scores, encoded, start, index }: ScoredSentence,
  names: Passage["names"],
  typer: Typer,
): ScoredMentions {
  const ranges = names
    .filter(({ sentence, isVariant }) => sentence === index && !isVariant)
    .flatMap((name) => rangeOf(tokens, name) ?? [])
    .filter((range) => isPlainName(tokens, range));
  const isKnown = (range: TokenRange) =>
    mentions.some(({ from, to }) => from === range.from && to === range.to);
  const added = ranges
    .filter((range) => !isKnown(range))
    .map((range): EntityMention => ({ ...range, kind: "proper", variantOf: null }));
  const extra = typer.score({ tokens, mentions: added, states: encoded, offset: start });
  const all = [...mentions, ...added];
  const isWhole = ({ from, to, kind }: EntityMention) =>
    kind !== "noun" && ranges.some((range) => range.from === from && range.to === to);
  return { tokens, mentions: all, scores: [...scores, ...extra], whole: new Set(all.filter(isWhole)) };
}

/** Two words or more that nothing joins to others: neither "Ada Holt of Orrick Mill" nor a part of "Holt's Mill", nor "(in) 2018 Orrick Mill". */
function isPlainName(tokens: readonly TaggedToken[], range: TokenRange & Span): boolean {
  const words = tokens.slice(range.from, range.to);
  const isJoined = words.some(({ lower }) => /^(?:of|['’]s?)$/.test(lower)) || isPossessed(tokens, range);
  const isDated = /^[12]\d{3}$/.test(words[0]?.text ?? "");
  return words.length > 1 && !isJoined && !isDated && !isPieceOfCompound(tokens, range);
}

function isPossessed(tokens: readonly TaggedToken[], { from, to }: TokenRange): boolean {
  return [tokens[from - 1], tokens[to]].some((token) => /^['’]s?$/.test(token?.text ?? ""));
}

/** The tokens of a span, null where it cuts one. */
function rangeOf(tokens: readonly TaggedToken[], { start, end }: Span): (TokenRange & Span) | null {
  const from = tokens.findIndex((token) => token.start === start);
  const last = tokens.findIndex((token) => token.end === end);
  return from < 0 || last < from ? null : { from, to: last + 1, start, end };
}

/** Apart from each other, in the order of the text; whole names go before other names, these before terms, the surest first. */
export function chooseNames(
  passage: Pick<Passage, "textOf">,
  { tokens, mentions, scores, whole }: ScoredMentions,
): readonly SentenceName[] {
  const order = mentions.map((_, at) => at).filter((at) => !valueKinds.has(mentions[at]!.kind));
  const rank = (at: number) => (whole.has(mentions[at]!) ? 0 : mentions[at]!.kind === "noun" ? 2 : 1);
  order.sort((a, b) => rank(a) - rank(b) || scores[a]!.none - scores[b]!.none || a - b);
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
function isPieceOfCompound(
  tokens: readonly TaggedToken[],
  { from, to, start, end }: TokenRange & Span,
): boolean {
  const [before, next] = [tokens[from - 1], tokens[to]];
  const joins = /^[-/]$/;
  return (
    (joins.test(next?.text ?? "") && next?.start === end) ||
    (joins.test(before?.text ?? "") && before?.end === start)
  );
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
