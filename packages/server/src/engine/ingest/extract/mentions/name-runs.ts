/** Finds the tokens of a sentence that are written as names, and runs of them. */
import {
  connectors,
  functionWords,
  looseConnectors,
  openers,
  timePrepositions,
} from "../../../text/names/name-words.ts";
import type { TaggedToken, TokenRange } from "../statements/tagged-token.ts";

/** For each token whether it may be part of a name: a capital in it, unless only the sentence's beginning gives it one. */
export function findNameTokens(tokens: readonly TaggedToken[]): readonly boolean[] {
  return tokens.map((token, at) => {
    if (!/\p{Lu}/u.test(token.text)) return false;
    if (!opensSentence(tokens, at))
      return !functionWords.has(token.lower) || /^\p{Lu}{2,}$/u.test(token.text);
    if (/\p{Lu}/u.test(token.text.slice(1))) return true;
    if (functionWords.has(token.lower)) return false;
    const isFollowed = /^\p{Lu}/u.test(tokens[at + 1]?.text ?? "");
    return isFollowed || token.tag === "PROPN" || (!openers.has(token.lower) && token.tag === "NOUN");
  });
}

/** Whether the sentence's beginning may be all that gives the token its capital. */
export function opensSentence(tokens: readonly TaggedToken[], at: number): boolean {
  const before = tokens[at - 1];
  return before === undefined || (at <= 2 && /^["“„‘'(–—*#>|.:…-]+$/.test(before.text));
}

/** Runs of name tokens joined by connectors ("Bank of England"), numbers and hyphens; in order, apart. */
export function findNameRuns(
  tokens: readonly TaggedToken[],
  isName: readonly boolean[],
): readonly TokenRange[] {
  const runs: TokenRange[] = [];
  let at = 0;
  while (at < tokens.length) {
    if (isName[at] !== true && !opensWithNumber(tokens, at, isName)) {
      at++;
      continue;
    }
    let to = at + 1;
    for (let next = joinedFrom(tokens, to, isName); next > to; next = joinedFrom(tokens, to, isName))
      to = next;
    runs.push({ from: at, to });
    at = to;
  }
  return runs;
}

/** The end of the run with what the connector at `at`, if any, joins to it; `at` where the run ends. */
function joinedFrom(tokens: readonly TaggedToken[], at: number, isName: readonly boolean[]): number {
  if (isName[at] === true) return at + 1;
  const token = tokens[at];
  if (token === undefined) return at;
  const isAdjacent = tokens[at - 1]?.end === token.start;
  // "C++", "F#".
  if (/^[+#]$/.test(token.text)) return tokens[at - 1]!.text.length <= 2 ? at + 1 : at;
  if (/^\d{1,4}$/.test(token.text) && !isAdjacent && !isName[at + 1]) return at + 1;
  // "Registers - Head" and "CRM-2291 / Loam" are two names.
  const isSpaced = !isAdjacent && tokens[at + 1]?.start !== token.end;
  if (isSpaced && /^[-/]$/.test(token.text)) return at;
  if (/^[-/&'’.+]$|^['’]s?$/.test(token.text) || connectors.has(token.lower)) {
    const next = tokens[at + 1]?.lower === "the" ? at + 2 : at + 1;
    if (isName[next] === true) return next + 1;
    if (token.text === "-" && /^\d+$/.test(tokens[next]?.text ?? "") && isAdjacent) return next + 1;
  }
  return at;
}

function opensWithNumber(tokens: readonly TaggedToken[], at: number, isName: readonly boolean[]): boolean {
  const token = tokens[at];
  if (token === undefined || isName[at + 1] !== true) return false;
  // "In 1974 Halvorsen founded …".
  if (/^\d{4}$/.test(token.text) && timePrepositions.has(tokens[at - 1]?.lower ?? "")) return false;
  return /^\d{1,4}(?:st|nd|rd|th)?$/.test(token.text);
}

/** Where a run that ends at `to` goes on over up to three loose connectors ("War and Peace"); `to` where it does not. */
export function looselyExtended(
  tokens: readonly TaggedToken[],
  to: number,
  isName: readonly boolean[],
): number {
  let at = to;
  while (at - to < 3 && isLoose(tokens[at])) at++;
  if (at === to || isName[at] !== true) return to;
  let end = at + 1;
  for (let next = joinedFrom(tokens, end, isName); next > end; next = joinedFrom(tokens, end, isName))
    end = next;
  return end;
}

function isLoose(token: TaggedToken | undefined): boolean {
  return (
    token !== undefined &&
    (looseConnectors.has(token.lower) || connectors.has(token.lower) || /^[:,!?]$/.test(token.text))
  );
}
