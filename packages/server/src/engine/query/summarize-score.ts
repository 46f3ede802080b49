/** Scores sentences by how well they answer a question, without a language model. */

import { createTermFinder, type TermFinder } from "../text/term-finder.ts";
import { queryTerms } from "../text/terms.ts";
import type { SentenceCandidate, SummaryChunk } from "./summarize-candidates.ts";
import { answerTypeOf, type Cue, type CueQuestion, findCues } from "./summarize-cues.ts";

/** A sentence whose score is known but for its cues, which cost the most to find. */
export interface SentenceScore {
  readonly sentence: SentenceCandidate;
  /** No less than the score. */
  readonly bound: number;
  readonly score: () => number;
}

/** Set on a small set of questions about invented texts (see the test), one at a time. */
const weight = { coverage: 1, cue: 0.4, chunk: 0.7, connecting: 0.3 };
/** How much a term of the question counts that is not in the sentence itself. */
const nearby = { previous: 0.5, chunk: 0.4, leading: 0.6 };
/** Looking for the question's words around a cue costs as much as indexing that part of the sentence. */
const maxCues = 6;
const nearUnits = 60;
const weakShare = 0.6;
const questionShare = 0.5;

/** A part of a document, in UTF-16 code units. */
export interface TextPlace {
  readonly versionId: number;
  readonly start: number;
  readonly end: number;
}

interface ScoredAgainst {
  readonly chunks: readonly SummaryChunk[];
  readonly question: string;
  readonly connecting: readonly TextPlace[];
}

/**
 * Scores every candidate, in the given order: the share of the question's terms that it covers,
 * weighted by how rare they are among the candidates (a term of the sentence before or elsewhere in the
 * chunk counts in part, because sentences refer back by pronouns), plus a bonus for something of the kind
 * that the question asks for, more where it stands near the question's words, plus the chunk's rank, plus something for a place
 * that connects the question with another chunk.
 */
export function scoreSentences(
  candidates: readonly SentenceCandidate[],
  { chunks, question, connecting }: ScoredAgainst,
): SentenceScore[] {
  const asked = new Set(queryTerms(question));
  const cues = { type: answerTypeOf(question), lowerCase: question.toLowerCase() };
  const shared = createTermFinder(asked);
  const own = candidates.map((candidate) => shared(candidate.text));
  const inChunk = chunks.map((chunk) => shared(chunk.text));
  const leading = chunks.map(({ leadingText }) =>
    leadingText === undefined ? undefined : shared(leadingText),
  );
  const idf = inverseFrequencies(asked, own);
  const best = Math.max(...chunks.map((chunk) => chunk.similarity), Number.MIN_VALUE);
  return candidates.map((sentence, index) => {
    const previous = sentence.place > 0 ? own[index - 1] : undefined;
    const coverage = covered(idf, (term) => {
      if (own[index]?.has(term) === true) return 1;
      if (leading[sentence.chunk]?.has(term) === true) return nearby.leading;
      if (previous?.has(term) === true) return nearby.previous;
      return inChunk[sentence.chunk]?.has(term) === true ? nearby.chunk : 0;
    });
    const chunk = Math.max(0, chunks[sentence.chunk]?.similarity ?? 0) / best;
    const bonus = connecting.some((place) => touches(sentence, place)) ? weight.connecting : 0;
    const factor = share(sentence);
    const withCue = (cue: number): number =>
      (weight.coverage * coverage +
        weight.cue * cue * (0.3 + 0.7 * coverage) +
        weight.chunk * chunk +
        bonus) *
      factor;
    return {
      sentence,
      bound: withCue(1),
      score: () => withCue(cueScore(sentence.text, cues, shared)),
    };
  });
}

function touches(sentence: SentenceCandidate, { versionId, start, end }: TextPlace): boolean {
  return (
    sentence.versionId === versionId && sentence.start < end && start < sentence.start + sentence.text.length
  );
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

/** The best cue of a sentence; one far from every term that it shares with the question counts for half. */
function cueScore(sentence: string, question: CueQuestion, shared: TermFinder): number {
  const cues = findCues(sentence, question).sort((a, b) => b.strength - a.strength);
  let best = 0;
  for (const cue of cues.slice(0, maxCues)) {
    if (cue.strength <= best) break;
    best = Math.max(best, cue.strength * (isNear(sentence, cue, shared) ? 1 : 0.5));
  }
  return best;
}

function isNear(sentence: string, cue: Cue, shared: TermFinder): boolean {
  const whole = shared(sentence);
  if (whole.size === 0 || sentence.length <= nearUnits) return whole.size > 0;
  const around = shared(sentence.slice(Math.max(0, cue.start - nearUnits), cue.end + nearUnits));
  return !whole.isDisjointFrom(around);
}
