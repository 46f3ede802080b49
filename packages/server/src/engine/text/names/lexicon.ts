/**
 * Collects evidence from a document about its words: which ones have a capital inside sentences, and which
 * longer names occur.
 */

import { functionWords } from "./name-words.ts";
import { normalizeName } from "./normal-form.ts";
import { type CaseEvidence, findRuns, opensSentence } from "./runs.ts";
import { type Token, tokenize } from "./tokens.ts";

export interface Lexicon extends CaseEvidence {
  /**
   * The only longer name in the document that begins or ends with the word; null if there is none or more
   * than one.
   */
  findLongerName(lower: string): string | null;
}

/** The first part of a document represents all of it; the bound limits memory and time. */
const readUnits = 200_000;

/** Reads at most the first 200,000 code units of a document; linear. */
export function readLexicon(document: string): Lexicon {
  const tokens = tokenize(document, { start: 0, end: Math.min(document.length, readUnits) });
  const evidence = countCase(tokens);
  const longer = collectLongerNames(document, tokens, evidence);
  return { ...evidence, findLongerName: (lower) => longer.get(lower) || null };
}

function countCase(tokens: readonly Token[]): CaseEvidence {
  const uppers = new Map<string, number>();
  const lowers = new Map<string, number>();
  const isAllCaps = allCapsTokens(tokens);
  for (const [place, token] of tokens.entries()) {
    if (token.kind === "lower") lowers.set(token.lower, (lowers.get(token.lower) ?? 0) + 1);
    else if (token.kind === "name" && !isAllCaps(place) && !opensLine(tokens, place))
      uppers.set(token.lower, (uppers.get(token.lower) ?? 0) + 1);
  }
  return {
    isCommon: (lower) => (lowers.get(lower) ?? 0) > (uppers.get(lower) ?? 0),
    isProper: (lower) => uppers.has(lower),
  };
}

function opensLine(tokens: readonly Token[], place: number): boolean {
  return tokens[place]?.isAdjacent !== true || opensSentence(tokens, place);
}

/** Whether a token and an adjacent one are all capitals, so that their case is not informative. */
function allCapsTokens(tokens: readonly Token[]): (place: number) => boolean {
  const isCapitals = (token: Token | undefined) =>
    token?.kind === "name" && token.text.length > 2 && token.text === token.text.toUpperCase();
  return (place) =>
    isCapitals(tokens[place]) && (isCapitals(tokens[place - 1]) || isCapitals(tokens[place + 1]));
}

/** Names of several words, by their first and last word; the empty string if there are several for a word. */
function collectLongerNames(
  document: string,
  tokens: readonly Token[],
  evidence: CaseEvidence,
): ReadonlyMap<string, string> {
  const longer = new Map<string, string>();
  const add = (word: string, name: string): void => {
    const known = longer.get(word);
    longer.set(word, known === undefined || known === name ? name : "");
  };
  for (const { first, last } of findRuns(tokens, evidence)) {
    const [from, to] = [tokens[first], tokens[last]];
    if (from === undefined || to === undefined || first === last) continue;
    const name = normalizeName(document.slice(from.start, to.end));
    if (isReferable(from)) add(from.lower, name);
    if (isReferable(to)) add(to.lower, name);
  }
  return longer;
}

/** Whether the word alone may refer to the longer name; "American" does not refer to "American Civil War". */
export function isReferable(token: Token): boolean {
  if (token.kind !== "name" || token.text.length < 3 || functionWords.has(token.lower)) return false;
  return !/(?:[^aeiou]ish|ese|[^st]ian|ean|american|german|french)$/.test(token.lower);
}
