/** Tells whether a clause is stated as a fact: not hedged, not asked, not conditional, not somebody's claim. */

import { claims, conditions, denials, doubts, modals } from "./doubt-words.ts";
import type { TaggedToken, TokenRange } from "./tagged-token.ts";
import { isUnvouched } from "./unsettled-parts.ts";
import { isVerb } from "./verb-groups.ts";

/** "He would later become …" tells of the past. */
const narrative = new Set(["later", "eventually", "subsequently", "go", "become", "soon"]);

/** Whether the words of a verb group doubt what it tells; `from` of the clause is where its subject begins. */
export function isHedged(tokens: readonly TaggedToken[], verbs: TokenRange, clauseFrom: number): boolean {
  if (tokens.at(-1)?.text === "?") return true;
  // "X reportedly bought Y": the adverb stands before the verbs.
  const from = tokens[verbs.from - 1]?.tag === "ADV" ? verbs.from - 1 : verbs.from;
  const words = tokens.slice(from, verbs.to);
  const isNarrative = words.some((token) => narrative.has(token.lemma));
  const isDoubting = words.some(({ lower, tag, lemma }, at) => {
    if ((modals.has(lower) && !isNarrative) || doubts.has(lower) || isNotQuite(tokens, from + at))
      return true;
    const isLast = at === words.length - 1;
    return !isLast && ((tag !== "AUX" && claims.has(lemma)) || isUnvouched(tokens, from + at));
  });
  const before = tokens.slice(Math.max(0, clauseFrom - 3), clauseFrom);
  return isDoubting || before.some((token) => doubts.has(token.lower));
}

/** "Was almost born", "has yet to found", but not "almost ten years". */
function isNotQuite(tokens: readonly TaggedToken[], at: number): boolean {
  const next = tokens[at + 1];
  const lower = tokens[at]?.lower;
  return lower === "yet"
    ? next?.lower === "to"
    : /^(?:almost|nearly)$/.test(lower ?? "") && next?.tag === "VERB";
}

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
    const wasOnce = lower === "used" && next === "to";
    const isNo = lower === "no" && /^(?:longer|means|way)$/.test(next ?? "");
    return (
      denials.has(lower) ||
      modals.has(lower) ||
      doubts.has(lower) ||
      conditions.has(lower) ||
      isClaim ||
      wasOnce ||
      isNo ||
      isNotQuite(tokens, at) ||
      (isUnvouched(tokens, at) && next === "to" && isVerb(tokens[at + 2]))
    );
  });
}
