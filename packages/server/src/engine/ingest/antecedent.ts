/** Finds the name that the pronoun at the beginning of a chunk refers to, in the text before the chunk. */

import type { Span } from "../../domain/graph.ts";
import type { Lexicon } from "../text/names/lexicon.ts";
import { findRuns } from "../text/names/runs.ts";
import { type Token, tokenize } from "../text/names/tokens.ts";
import { sentences } from "../text/sentences.ts";

export interface Antecedent {
  readonly name: string;
  /** The pronoun is "he" or "she", not "it". */
  readonly isPerson: boolean;
}

/** Where the search for a name stops, in code units and in sentences that all begin with the same pronoun. */
const MAX_DISTANCE = { units: 8_000, sentences: 80 } as const;

/**
 * The name at the beginning of the nearest sentence before `start` that does not begin with the same pronoun. null where the text
 * at `start` begins with no pronoun, where that sentence begins with no name, or where it has another name to which the pronoun
 * may refer.
 */
export function findAntecedent(text: string, start: number, lexicon: Lexicon): Antecedent | null {
  const pronoun = /^\s*(he|she|it)\b/i.exec(text.slice(start, start + 40))?.[1]?.toLowerCase();
  if (pronoun === undefined || start === 0) return null;
  const from = Math.max(0, start - MAX_DISTANCE.units);
  // The first sentence is left out where its beginning is cut off: what is left of it may begin with any name.
  const complete = [...sentences(text.slice(from, start))].slice(from === 0 ? 0 : 1);
  const before = complete.slice(-MAX_DISTANCE.sentences).reverse();
  for (const span of before) {
    const tokens = tokenize(text, { start: from + span.start, end: from + span.end });
    const [first] = tokens;
    if (first === undefined || first.lower === pronoun) continue;
    const name = onlySubject(text, tokens, lexicon);
    return name === null ? null : { name, isPerson: pronoun !== "it" };
  }
  return null;
}

/** Words that precede names of places and things. */
const WORDS_BEFORE_THINGS = new Set(["in", "at", "from", "the", "near", "on", "a", "an"]);

/** The name that begins a sentence, where every other name in it is of a place or thing. */
function onlySubject(text: string, tokens: readonly Token[], lexicon: Lexicon): string | null {
  const [subject, ...others] = findRuns(tokens, lexicon);
  if (subject === undefined || subject.first > 1) return null;
  const isUnambiguous = others.every(({ first }) => WORDS_BEFORE_THINGS.has(tokens[first - 1]?.lower ?? ""));
  const span: Span | null = spanOf(tokens, subject);
  return isUnambiguous && span !== null ? text.slice(span.start, span.end) : null;
}

function spanOf(
  tokens: readonly Token[],
  { first, last }: { readonly first: number; readonly last: number },
): Span | null {
  const [from, to] = [tokens[first], tokens[last]];
  return from === undefined || to === undefined ? null : { start: from.start, end: to.end };
}
