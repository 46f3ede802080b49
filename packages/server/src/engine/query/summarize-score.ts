/** Scores sentences by how well they answer a question, without a language model. */

import { indexTerms, queryTerms } from "../text/terms.ts";
import type { SentenceCandidate, SummaryChunk } from "./summarize-candidates.ts";
import { type AnswerType, answerTypeOf, type Cue, findCues } from "./summarize-cues.ts";

export interface ScoredSentence extends SentenceCandidate {
  readonly score: number;
  readonly terms: ReadonlySet<string>;
}

/** Set on a small set of questions about invented texts (see the test), one at a time. */
const weight = { coverage: 1, cue: 0.4, chunk: 0.7 };
/** How much a term of the question counts that is not in the sentence itself. */
const nearby = { previous: 0.5, chunk: 0.4 };
/** Looking for the question's words around a cue costs as much as indexing that part of the sentence. */
const maxCues = 6;
const nearUnits = 60;
const weakShare = 0.6;
const questionShare = 0.5;

/**
 * Scores every candidate, in the given order: the share of the question's terms that it covers,
 * weighted by how rare they are among the candidates (a term of the sentence before or elsewhere in the
 * chunk counts in part, because sentences refer back by pronouns), plus a bonus for something of the kind
 * that the question asks for, more where it stands near the question's words, plus the chunk's rank.
 */
export function scoreSentences(
  candidates: readonly SentenceCandidate[],
  chunks: readonly SummaryChunk[],
  question: string,
): ScoredSentence[] {
  const asked = new Set(queryTerms(question));
  const type = answerTypeOf(question);
  const terms = candidates.map((candidate) => new Set(indexTerms(candidate.text)));
  const idf = inverseFrequencies(asked, terms);
  const chunkTerms = chunks.map((chunk) => new Set(indexTerms(chunk.text)));
  const best = Math.max(...chunks.map((chunk) => chunk.similarity), Number.MIN_VALUE);
  return candidates.map((candidate, index) => {
    const own = terms[index] ?? new Set();
    const isFollowing = candidate.place > 0;
    const previous = isFollowing ? (terms[index - 1] ?? new Set<string>()) : new Set<string>();
    const coverage = covered(idf, (term) => {
      if (own.has(term)) return 1;
      if (previous.has(term)) return nearby.previous;
      return chunkTerms[candidate.chunk]?.has(term) === true ? nearby.chunk : 0;
    });
    const cue = cueScore(candidate.text, {
      type,
      question,
      shared: [...asked].filter((term) => own.has(term)),
    });
    const chunk = Math.max(0, chunks[candidate.chunk]?.similarity ?? 0) / best;
    const sum = weight.coverage * coverage + weight.cue * cue * (0.3 + 0.7 * coverage) + weight.chunk * chunk;
    return { ...candidate, terms: own, score: sum * share(candidate) };
  });
}

function share(candidate: SentenceCandidate): number {
  return (candidate.isWeak ? weakShare : 1) * (/\?["'”’)]{0,2}$/.test(candidate.text) ? questionShare : 1);
}

function inverseFrequencies(
  asked: ReadonlySet<string>,
  sentences: readonly ReadonlySet<string>[],
): ReadonlyMap<string, number> {
  const idf = new Map<string, number>();
  for (const term of asked) {
    const count = sentences.reduce((sum, terms) => sum + (terms.has(term) ? 1 : 0), 0);
    idf.set(term, Math.log(1 + sentences.length / (count + 0.5)));
  }
  return idf;
}

function covered(idf: ReadonlyMap<string, number>, share: (term: string) => number): number {
  let sum = 0;
  let total = 0;
  for (const [term, value] of idf) {
    sum += value * share(term);
    total += value;
  }
  return total === 0 ? 0 : sum / total;
}

interface Asked {
  readonly type: AnswerType;
  readonly question: string;
  /** The question's terms that the sentence has. */
  readonly shared: readonly string[];
}

/** The best cue of a sentence; one far from every word of the question counts for half. */
function cueScore(sentence: string, { type, question, shared }: Asked): number {
  const cues = findCues(sentence, type, question).sort((a, b) => b.strength - a.strength);
  let best = 0;
  for (const cue of cues.slice(0, maxCues)) {
    if (cue.strength <= best) break;
    best = Math.max(best, cue.strength * (isNear(sentence, cue, shared) ? 1 : 0.5));
  }
  return best;
}

function isNear(sentence: string, cue: Cue, shared: readonly string[]): boolean {
  if (shared.length === 0 || sentence.length <= nearUnits) return shared.length > 0;
  const around = new Set(indexTerms(sentence.slice(Math.max(0, cue.start - nearUnits), cue.end + nearUnits)));
  return shared.some((term) => around.has(term));
}
