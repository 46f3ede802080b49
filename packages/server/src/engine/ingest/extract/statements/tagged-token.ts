/** Words of a sentence with their parts of speech: what statements and relations are read from. */

import type { Span } from "../../../../domain/graph.ts";

/** Offsets are into the document's text. */
export interface TaggedToken extends Span {
  readonly text: string;
  readonly lower: string;
  readonly lemma: string;
  /** Universal part of speech: NOUN, PROPN, VERB, AUX, ADP, … */
  readonly tag: string;
}

/** A run of tokens; `to` is exclusive. */
export interface TokenRange {
  readonly from: number;
  readonly to: number;
}

export function isCapitalised(token: TaggedToken): boolean {
  return /^\p{Lu}/u.test(token.text);
}

const copulas = new Set(["is", "was", "are", "were", "be", "been", "being", "'s", "'re", "am", "'m"]);

export function isFormOfBe(token: TaggedToken): boolean {
  return token.lemma === "be" || copulas.has(token.lower);
}

const negations = new Set([
  "not",
  "n't",
  "never",
  "neither",
  "nor",
  "no",
  "cannot",
  "hardly",
  "scarcely",
  "barely",
]);

export function isNegation(token: TaggedToken): boolean {
  return negations.has(token.lower);
}

/** The part of the document that the tokens cover. */
export function spanOf(tokens: readonly TaggedToken[], range: TokenRange): Span {
  const first = tokens[range.from];
  const last = tokens[range.to - 1];
  if (first === undefined || last === undefined) throw new RangeError("an empty range of tokens has no span");
  return { start: first.start, end: last.end };
}
