/** What the verb of a clause makes of its times: whether it tells of a state, of the past, of the future, or asserts nothing. */
import { isFormOfBe, isNegation, type TaggedToken, type TokenRange } from "../statements/tagged-token.ts";

/** A clause that relates two things: from the first of them to the end of the second. */
export interface Clause extends TokenRange {
  readonly tokens: readonly TaggedToken[];
}

/** A day of them is one of many. */
const lasting = new Set(
  "be have work live serve stay reside study hold run lead head manage own belong remain keep chair represent teach play".split(
    " ",
  ),
);
const doubts = new Set(
  (
    "may might can could would should must cannot reportedly allegedly supposedly apparently perhaps maybe possibly probably likely " +
    "nearly almost hypothetically rumoured rumored"
  ).split(" "),
);
const conditions = new Set(
  "if unless whether whenever assuming supposing suppose imagine lest wish wishes rumour rumours rumor rumors deny denies denied ?".split(
    " ",
  ),
);

export function isVerbal(tag: string | undefined): boolean {
  return tag === "VERB" || tag === "AUX";
}

/** The last verb between the two, or before the one that is in the sentence. */
export function verbOf({ tokens, from, to }: Clause): number {
  const within = tokens.findLastIndex(({ tag }, at) => at >= from && at < to && tag === "VERB");
  if (within >= 0) return within;
  const auxiliary = tokens.findLastIndex(({ tag }, at) => at >= from && at < to && tag === "AUX");
  if (auxiliary >= 0) return auxiliary;
  return tokens.findLastIndex(({ tag }, at) => at < from && isVerbal(tag));
}

/** "may lead", "plans to lead", "never led", "if she leads", "reportedly led": nothing that is so. */
export function isDoubtful({ tokens, from, to }: Clause, verb: number): boolean {
  // "Had she left"
  const isInverted = tokens[0]?.lower === "had" || tokens[0]?.lower === "should";
  if (isInverted || tokens.some(({ lower }) => conditions.has(lower))) return true;
  const start = tokens.findLastIndex(({ lower }, at) => at < from && /^(?:;|but)$/.test(lower)) + 1;
  const clause = tokens.slice(start, Math.max(to, verb + 1));
  // "May" is a month.
  const isDoubt = (token: TaggedToken) =>
    isNegation(token) || (doubts.has(token.lower) && token.text === token.lower);
  return clause.some(isDoubt) || tokens[groupOf(tokens, verb) - 1]?.lower === "to";
}

export function isFuture({ tokens }: Clause, verb: number): boolean {
  return /^(?:will|shall|'ll|’ll|wo|going)$/.test(tokens[groupOf(tokens, verb)]?.lower ?? "");
}

/** A state, or what goes on. */
export function isLasting({ tokens }: Clause, verb: number): boolean {
  const token = tokens[verb];
  if (token === undefined || isFormOfBe(token) || token.tag === "AUX") return true;
  return token.lower.endsWith("ing") || (lasting.has(token.lemma) && !isPassive(tokens, verb));
}

/** "was led", but not "was head". */
function isPassive(tokens: readonly TaggedToken[], verb: number): boolean {
  const [before, token] = [tokens[verb - 1], tokens[verb]];
  return before !== undefined && isFormOfBe(before) && token?.lower !== token?.lemma;
}

/** "was", "worked", "joined", "will be": of a time that is not that of the telling. "has worked" goes on. */
export function isOfOtherTime({ tokens, to }: Clause, verb: number): boolean {
  const told = verb >= 0 ? verb : tokens.findIndex(({ tag }, at) => at >= to && isVerbal(tag));
  const token = tokens[told];
  if (token === undefined) return false;
  const first = tokens[groupOf(tokens, told)] ?? token;
  if (first.lemma === "have" && first !== token) return first.lower === "had";
  return /^(?:will|shall|'ll|’ll|used)$/.test(first.lower) || !isPresent(first);
}

function isPresent({ lower, lemma }: TaggedToken): boolean {
  return lower === lemma || /(?:[^a]s|ing|are|am)$/.test(lower);
}

/** "left", "has left", "was sold", "has been sold"; not "leaves", "is leaving", "is sold", "to have left". */
export function isDone(tokens: readonly TaggedToken[], verb: number): boolean {
  const token = tokens[verb];
  if (token === undefined || token.lower.endsWith("ing")) return false;
  const isPastForm = token.lower === "quit" || !isPresent(token);
  const group = tokens.slice(groupOf(tokens, verb), verb).filter(({ tag }) => isVerbal(tag));
  const isPastGroup = group.every(({ lower }) => /^(?:has|have|had|was|were|been)$/.test(lower));
  return isPastForm && isPastGroup && tokens[groupOf(tokens, verb) - 1]?.lower !== "to";
}

/** Where the verb's own auxiliaries begin. */
export function groupOf(tokens: readonly TaggedToken[], verb: number): number {
  const other = tokens.findLastIndex(
    ({ tag, lower }, at) => at < verb && tag !== "ADV" && tag !== "AUX" && !isHelper(lower),
  );
  const begin = tokens.findIndex(({ tag, lower }, at) => at > other && (isVerbal(tag) || isHelper(lower)));
  return begin < 0 ? verb : Math.min(begin, verb);
}

/** Also where the tagger takes them for verbs. */
function isHelper(lower: string): boolean {
  return /^(?:not|n't|n’t|never|is|are|was|were|be|been|being|has|have|had|will|shall|did|does|do)$/.test(
    lower,
  );
}
