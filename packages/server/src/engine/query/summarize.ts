/** Answers a question with sentences of the chunks that were found: no language model, nothing invented. */

import { endsLikeSentence, findCandidates, type SummaryChunk } from "./summarize-candidates.ts";
import { type ScoredSentence, scoreSentences } from "./summarize-score.ts";

export interface SummaryInput {
  readonly query: string;
  /** Best first. */
  readonly chunks: readonly SummaryChunk[];
}

const minSentences = 2;
const maxSentences = 4;
const maxSummaryUnits = 1200;
/** A further sentence must score at least this share of the best. */
const furtherShare = 0.6;
/** What a sentence loses by repeating the terms of one that is already taken. */
const repetitionWeight = 0.4;
/** Above this share of common terms it is the same sentence in other words. */
const sameShare = 0.8;
/** What the sentence before one that begins with a pronoun gains. */
const antecedentBonus = 0.15;

/**
 * The two to four sentences that best answer the question (fewer if there are not more), verbatim, in
 * reading order: documents by the score of their best sentence, then by offset. No sentence twice, nor
 * one that says nearly the same. At most about 1,200 UTF-16 code units; of a sentence above 420 only the best
 * part is quoted, cut between words and marked with "…". No chunks give the empty string.
 *
 * About 2 ms for ten chunks. Comparing the best 8 or 16 sentences with the question as vectors, too, was
 * tried and left out: 8 or 16 embeddings more per question, and 77.1 % of 266 questions about two public
 * sets had their answer in the summary, against 77.4 % without.
 */
export function summarize(input: SummaryInput): string {
  const candidates = findCandidates(input.chunks);
  const scored = scoreSentences(candidates, input.chunks, input.query);
  const ranked = scored.sort((a, b) => b.score - a.score || a.chunk - b.chunk || a.start - b.start);
  return join(order(select(ranked)));
}

/** Takes the best sentence, then the best of what adds to it. */
function select(ranked: readonly ScoredSentence[]): ScoredSentence[] {
  const [best] = ranked;
  if (best === undefined) return [];
  const taken = [best];
  let units = best.text.length;
  let rest = ranked.slice(1, 60);
  while (taken.length < maxSentences) {
    rest = rest.filter((sentence) => !taken.some((other) => overlap(sentence, other) >= sameShare));
    const next = bestNext(rest, taken);
    if (next === undefined || units + next.sentence.text.length > maxSummaryUnits) break;
    if (taken.length >= minSentences && next.score < best.score * furtherShare) break;
    taken.push(next.sentence);
    units += next.sentence.text.length;
    rest = rest.filter((sentence) => sentence !== next.sentence);
  }
  return taken;
}

function bestNext(rest: readonly ScoredSentence[], taken: readonly ScoredSentence[]) {
  let best: { readonly sentence: ScoredSentence; readonly score: number } | undefined;
  for (const sentence of rest) {
    const repeated = Math.max(...taken.map((other) => overlap(sentence, other)));
    const bonus = taken.some((other) => isAntecedent(sentence, other)) ? antecedentBonus : 0;
    const score = sentence.score - repetitionWeight * repeated * sentence.score + bonus;
    if (best === undefined || score > best.score) best = { sentence, score };
  }
  return best;
}

/** Whether `sentence` stands before one that begins with a word that refers back. */
function isAntecedent(sentence: ScoredSentence, taken: ScoredSentence): boolean {
  if (sentence.chunk !== taken.chunk || sentence.place !== taken.place - 1) return false;
  return /^(?:it|he|she|they|this|these|that|those|its|his|her|their|such|both)\b/i.test(taken.text);
}

/** Share of the terms of the shorter sentence that the other has too. */
function overlap(a: ScoredSentence, b: ScoredSentence): number {
  const [small, large] = a.terms.size <= b.terms.size ? [a.terms, b.terms] : [b.terms, a.terms];
  if (small.size === 0) return large.size === 0 ? 1 : 0;
  let common = 0;
  for (const term of small) if (large.has(term)) common++;
  // A short sentence inside a long one repeats it, but the long one may say more.
  return common / Math.sqrt(small.size * large.size);
}

/** Reading order. */
function order(taken: readonly ScoredSentence[]): ScoredSentence[] {
  const documents = [...new Set(taken.map((sentence) => sentence.versionId))];
  const rank = (sentence: ScoredSentence) => documents.indexOf(sentence.versionId);
  return [...taken].sort((a, b) => rank(a) - rank(b) || a.start - b.start);
}

/** Sentences follow one another after a space; after a line that does not end like a sentence comes a line break. */
function join(sentences: readonly ScoredSentence[]): string {
  let summary = "";
  for (const { text } of sentences) {
    if (summary !== "") summary += endsLikeSentence(summary) ? " " : "\n";
    summary += text;
  }
  return summary;
}
