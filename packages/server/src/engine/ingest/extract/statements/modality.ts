/** Tells whether a clause is stated as a fact: not hedged, not asked, not conditional, not somebody's claim. */

import type { TaggedToken, TokenRange } from "./tagged-token.ts";

const modals = new Set(["may", "might", "could", "should", "would", "'d", "ought"]);
const doubts = new Set(
  (
    "allegedly reportedly possibly probably perhaps maybe supposedly apparently presumably likely unlikely " +
    "seemingly potentially purportedly rumored rumoured hypothetically"
  ).split(" "),
);
const claims = new Set(
  (
    "claim allege believe suspect speculate suppose assume think suggest rumor rumour propose plan hope intend " +
    "expect consider seek want wish try attempt refuse fail deny decline doubt dispute threaten offer seem appear"
  ).split(" "),
);
const conditions = new Set(["if", "unless", "whether", "lest"]);
/** "He would later become …" tells of the past. */
const narrative = new Set(["later", "eventually", "subsequently", "go", "become", "soon"]);

/** The range is that of a verb group; `from` of the clause is where its subject begins. */
export function isHedged(tokens: readonly TaggedToken[], verbs: TokenRange, clauseFrom: number): boolean {
  if (tokens.at(-1)?.text === "?") return true;
  // "X reportedly bought Y": the adverb stands before the verbs.
  const from = tokens[verbs.from - 1]?.tag === "ADV" ? verbs.from - 1 : verbs.from;
  const words = tokens.slice(from, verbs.to);
  const isNarrative = words.some((token) => narrative.has(token.lemma));
  if (words.some((token) => (modals.has(token.lower) && !isNarrative) || doubts.has(token.lower)))
    return true;
  if (words.slice(0, -1).some((token) => token.tag !== "AUX" && claims.has(token.lemma))) return true;
  const before = tokens.slice(Math.max(0, clauseFrom - 3), clauseFrom);
  if (before.some((token) => conditions.has(token.lower) || doubts.has(token.lower))) return true;
  const that = tokens[clauseFrom - 1]?.lower === "that" ? clauseFrom - 1 : -1;
  return that > 0 && tokens.slice(Math.max(0, that - 2), that).some((token) => claims.has(token.lemma));
}

const denials = new Set(["not", "n't", "never", "neither", "nor", "cannot"]);

/** Whether anything in these words denies, doubts, asks or supposes what they tell; also where only a part of it is doubted. */
export function isUnsettled(tokens: readonly TaggedToken[]): boolean {
  const [first, second, third] = tokens;
  if (tokens.at(-1)?.text === "?") return true;
  const opening = first?.tag === "CCONJ" ? second : first;
  // "Were X to …", "Had X …", "did they …".
  if (/^(?:were|had|did|does|do|should)$/.test(opening?.lower ?? "")) return true;
  if (second?.lower === "did" && third?.tag === "PRON") return true;
  return tokens.some(({ lower, lemma, tag }, at) => {
    const isClaim = claims.has(lemma) && tag !== "ADJ";
    const next = tokens[at + 1]?.lower;
    const wasOnce = (lower === "used" && next === "to") || (lower === "no" && next === "longer");
    return (
      denials.has(lower) ||
      modals.has(lower) ||
      doubts.has(lower) ||
      conditions.has(lower) ||
      isClaim ||
      wasOnce
    );
  });
}
