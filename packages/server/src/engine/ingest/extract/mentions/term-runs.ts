/** Finds noun phrases without their determiners: terms in small letters, also with names in them. */
import { functionWords } from "../../../text/names/name-words.ts";
import type { TaggedToken, TokenRange } from "../statements/tagged-token.ts";

/** Runs of words that may make a term, each with at least one word in small letters; in order, apart. */
export function findTermRuns(
  tokens: readonly TaggedToken[],
  isName: readonly boolean[],
  isTaken: readonly boolean[],
): readonly TokenRange[] {
  const runs: TokenRange[] = [];
  const belongs = (at: number) => isTaken[at] !== true && (isName[at] === true || isTermWord(tokens, at));
  let from = 0;
  while (from < tokens.length) {
    let to = from;
    while (to < tokens.length && belongs(to)) to++;
    const run = trimmed(tokens, { from, to });
    if (run !== null && isName.slice(run.from, run.to).includes(false)) runs.push(run);
    from = Math.max(to, from + 1);
  }
  return runs;
}

function isTermWord(tokens: readonly TaggedToken[], at: number): boolean {
  const token = tokens[at]!;
  if (token.tag === "NOUN" || token.tag === "PROPN") return /[\p{L}\d]/u.test(token.text);
  if (token.tag === "ADJ" || token.tag === "X")
    return /\p{L}/u.test(token.text) && !functionWords.has(token.lower);
  const next = tokens[at + 1];
  if (token.text === "-" || token.text === "/") return isJoined(tokens, at);
  if (token.tag === "ADV") return next?.text === "-" && isJoined(tokens, at + 1);
  if (token.tag !== "VERB") return false;
  // A verb's form in a compound: "operating system", "text mining", "the hidden layer", "named-entity search".
  const before = tokens[at - 1];
  const isAfterModifier = before?.tag === "NOUN" || before?.tag === "ADJ" || before?.text === "-";
  const isBeforeNoun =
    next?.tag === "NOUN" || next?.tag === "PROPN" || (next?.text === "-" && isJoined(tokens, at + 1));
  if (/(?:ing|ed|en)$/.test(token.lower)) return isBeforeNoun || isAfterModifier;
  return next?.tag === "NOUN" && (before === undefined || before.tag === "DET");
}

function isJoined(tokens: readonly TaggedToken[], at: number): boolean {
  const token = tokens[at]!;
  return tokens[at - 1]?.end === token.start && tokens[at + 1]?.start === token.end;
}

function trimmed(tokens: readonly TaggedToken[], { from, to }: TokenRange): TokenRange | null {
  while (to > from && !isTermEnd(tokens, to)) to--;
  while (from < to && !isTermStart(tokens, from)) from++;
  return from < to ? { from, to } : null;
}

/** Whether a term may begin with this token. */
export function isTermStart(tokens: readonly TaggedToken[], at: number): boolean {
  const token = tokens[at]!;
  return /[\p{L}\d]/u.test(token.text) && tokens[at - 1]?.end !== token.start;
}

/** Whether a term may end before this token. */
export function isTermEnd(tokens: readonly TaggedToken[], to: number): boolean {
  const last = tokens[to - 1];
  if (last === undefined || !/[\p{L}\d]/u.test(last.text)) return false;
  if (tokens[to]?.start === last.end && /^[-/\p{L}\d]/u.test(tokens[to]?.text ?? "")) return false;
  return last.tag === "NOUN" || last.tag === "PROPN" || /ing$/.test(last.lower) || /^\p{Lu}/u.test(last.text);
}
