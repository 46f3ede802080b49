/** Finds whom the pronoun that begins a chunk stands for, where the name stands in the text before the chunk. */

import type { Span } from "../../domain/graph.ts";
import type { Lexicon } from "../text/names/lexicon.ts";
import { findRuns } from "../text/names/runs.ts";
import { type Token, tokenize } from "../text/names/tokens.ts";
import { sentences } from "../text/sentences.ts";

export interface Antecedent {
  readonly name: string;
  /** "He" or "she" stands for it. */
  readonly isPerson: boolean;
}

/** How far back a name may stand, in code units and in sentences that all begin with the same pronoun. */
const REACH = { units: 8_000, sentences: 80 } as const;

/**
 * The name that begins the nearest sentence before `start` that does not begin with the pronoun itself. null where the text at `start`
 * begins otherwise, where something else stands between, or where the sentence may name somebody else whom the pronoun means.
 */
export function findAntecedent(text: string, start: number, lexicon: Lexicon): Antecedent | null {
  const pronoun = /^\s*(he|she|it)\b/i.exec(text.slice(start, start + 40))?.[1]?.toLowerCase();
  if (pronoun === undefined || start === 0) return null;
  const from = Math.max(0, start - REACH.units);
  // Where the reach ends within a sentence, what is left of it may begin with any name.
  const whole = [...sentences(text.slice(from, start))].slice(from === 0 ? 0 : 1);
  const before = whole.slice(-REACH.sentences).reverse();
  for (const span of before) {
    const tokens = tokenize(text, { start: from + span.start, end: from + span.end });
    const [first] = tokens;
    if (first === undefined || first.lower === pronoun) continue;
    const name = onlySubject(text, tokens, lexicon);
    return name === null ? null : { name, isPerson: pronoun !== "it" };
  }
  return null;
}

const places = new Set(["in", "at", "from", "the", "near", "on", "a", "an"]);

/** The name that begins a sentence, where all others in it are of places and things. */
function onlySubject(text: string, tokens: readonly Token[], lexicon: Lexicon): string | null {
  const [subject, ...others] = findRuns(tokens, lexicon);
  if (subject === undefined || subject.first > 1) return null;
  const isClear = others.every(({ first }) => places.has(tokens[first - 1]?.lower ?? ""));
  const span: Span | null = spanOf(tokens, subject);
  return isClear && span !== null ? text.slice(span.start, span.end) : null;
}

function spanOf(
  tokens: readonly Token[],
  { first, last }: { readonly first: number; readonly last: number },
): Span | null {
  const [from, to] = [tokens[first], tokens[last]];
  return from === undefined || to === undefined ? null : { start: from.start, end: to.end };
}
