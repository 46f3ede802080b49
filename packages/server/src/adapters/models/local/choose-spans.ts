/** Chooses the answer of a passage by the logits of its windows, as the pipeline `question-answering` of `transformers` does. */
import type { AnswerSpan, FoundAnswers } from "../../../ports/answer-finder.ts";

/** One token of the passage. */
export interface PassageToken {
  /** Offsets in the passage, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
  /** Number of the word that the token is part of; null where the tokenizer knows none. */
  readonly word: number | null;
}

/** A part of the passage that the model read in one run. */
export interface ReadWindow {
  readonly tokens: readonly PassageToken[];
  /** Of the tokens. */
  readonly starts: Float32Array;
  readonly ends: Float32Array;
  /** Logits of the first token of the input, which stands for no answer. */
  readonly none: { readonly start: number; readonly end: number };
}

/** The same as in the pipeline: no answer is longer, and of each window so many candidates are read. */
const MAX_ANSWER_TOKENS = 15;
const CANDIDATES = 12;

/**
 * A span scores the product of the probabilities of its first and its last token, each among the tokens of the window's
 * passage and the one for no answer. It is extended to whole words; spans with the same text, in any case, are one answer,
 * at the place of the first, with the sum of their scores. No answer scores the least that any window gives it.
 */
export function chooseSpans(passage: string, windows: readonly ReadWindow[]): FoundAnswers {
  const answers = new Map<string, { start: number; end: number; score: number }>();
  let noAnswerScore = windows.length === 0 ? 1 : Number.POSITIVE_INFINITY;
  for (const window of windows) {
    const starts = probabilities(window.starts, window.none.start);
    const ends = probabilities(window.ends, window.none.end);
    noAnswerScore = Math.min(noAnswerScore, starts.none * ends.none);
    for (const { first, last, score } of bestCandidates(starts.tokens, ends.tokens)) {
      const place = wholeWords(window.tokens, first, last);
      const key = passage.slice(place.start, place.end).toLowerCase();
      const known = answers.get(key);
      if (known === undefined) answers.set(key, { ...place, score });
      else known.score += score;
    }
  }
  const spans: AnswerSpan[] = [...answers.values()].sort((one, other) => other.score - one.score);
  return { spans, noAnswerScore };
}

/** Softmax over the tokens and the one for no answer. */
function probabilities(logits: Float32Array, none: number) {
  const highest = logits.reduce((most, logit) => Math.max(most, logit), none);
  const tokens = logits.map((logit) => Math.exp(logit - highest));
  const noneShare = Math.exp(none - highest);
  const sum = tokens.reduce((all, share) => all + share, noneShare);
  return { tokens: tokens.map((share) => share / sum), none: noneShare / sum };
}

interface Candidate {
  readonly first: number;
  readonly last: number;
  readonly score: number;
}

/** Best first. */
function bestCandidates(starts: Float32Array, ends: Float32Array): readonly Candidate[] {
  const best: Candidate[] = [];
  for (const [first, start] of starts.entries()) {
    const after = Math.min(first + MAX_ANSWER_TOKENS, ends.length);
    for (let last = first; last < after; last++) {
      const score = start * (ends[last] ?? 0);
      const least = best.length < CANDIDATES ? 0 : (best.at(-1)?.score ?? 0);
      if (score <= least) continue;
      const at = best.findIndex((other) => other.score < score);
      best.splice(at < 0 ? best.length : at, 0, { first, last, score });
      best.length = Math.min(best.length, CANDIDATES);
    }
  }
  return best;
}

/** From the beginning of the first token's word to the end of the last one's, as far as they are in the window. */
function wholeWords(tokens: readonly PassageToken[], first: number, last: number) {
  const from = tokens[first];
  const to = tokens[last];
  if (from === undefined || to === undefined) throw new Error("A span has tokens that its window lacks");
  if (from.word === null || to.word === null) return { start: from.start, end: to.end };
  const start = tokens.find(({ word }) => word === from.word)?.start ?? from.start;
  const end = tokens.findLast(({ word }) => word === to.word)?.end ?? to.end;
  return { start, end };
}
