/** Scores sentences by how well they answer a question, without a language model. */

import { createTermFinder, type TermFinder } from "../text/term-finder.ts";
import { queryTerms } from "../text/terms.ts";
import { type AskedDates, readAskedDates } from "./dates-in-numbers.ts";
import { findRelatedTerms } from "./related-words.ts";
import { isLine, type SentenceCandidate, type SummaryChunk } from "./summarize-candidates.ts";
import { type AskedTerms, createCoverage } from "./summarize-coverage.ts";
import { answerTypeOf, asksForList, type Cue, type CueQuestion, findCues } from "./summarize-cues.ts";
import type { LineContext } from "./summarize-outline.ts";

/** A sentence whose score is known but for its cues, which cost the most to find. */
export interface SentenceScore {
  readonly sentence: SentenceCandidate;
  /** No less than the score. */
  readonly bound: number;
  readonly score: () => number;
  /** 0…1: how much of the question it is about, with what it stands under; rare terms count more. */
  readonly coverage: number;
  /** 0…1: how many of the question's terms it has itself. */
  readonly share: number;
  /** 0…1: coverage and the rank of the chunk, without what makes a good quotation. */
  readonly nearness: number;
  /** It has dates in numbers, none of which is asked for, and another one has the asked date. */
  readonly isOtherDate: boolean;
}

/** Set on the tuned half of `evals/answers` and a small set of questions about invented texts (see the test). */
const weight = { coverage: 1, cue: 0.4, chunk: 0.7, connecting: 0.3, label: 0.12 };
/** How much a term of the question counts that is not in the sentence itself. */
const nearby = {
  /** Of lines, rows, lists and answers; prose depends less on what it stands under. */
  line: { label: 0.95, above: 0.85 },
  prose: { label: 0.5, above: 0.5 },
  related: 0.75,
  relatedAbove: 0.6,
  previous: 0.5,
  chunk: 0.4,
  leading: 0.6,
};
/** Looking for the question's words around a cue costs as much as indexing that part of the sentence. */
const maxCues = 6;
const nearUnits = 60;
const weakShare = 0.6;
/** How much of its nearness a sentence of the last chunk keeps. */
const NEARNESS_BASE = 0.6;
/** A row that has no word of the question is about something else: all rows share the names of the columns. */
const OTHER_ROW = 0.5;
/** Beside one of the date that is asked for, one of another date. */
const OTHER_DATE = 0.5;
/** A question is seldom an answer, one that is answered below never. */
const questionShare = { asked: 0.7, answered: 0.4 };
/** What says nothing but what the question says: "Subject: Head of production". */
const REPEATED = { share: 0.4, maxUnits: 120 };
/** A list as a whole, for a question that asks for one, and for one that asks for a single thing. */
const groupShare = { asked: 1.1, other: 0.8 };

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
 * weighted by how rare they are among the candidates (a term of the heading, label or columns that it stands under counts nearly as much
 * as its own, a related word, one of the sentence before or elsewhere in the
 * chunk counts in part, because sentences refer back by pronouns), plus a bonus for something of the kind
 * that the question asks for, more where it stands near the question's words, plus the chunk's rank, plus something for a place
 * that connects the question with another chunk.
 */
export function scoreSentences(
  candidates: readonly SentenceCandidate[],
  { chunks, question, connecting }: ScoredAgainst,
): SentenceScore[] {
  const dates = readAskedDates(
    question,
    chunks.map(({ text }) => text),
  );
  const terms = readQuestion(question, dates);
  const hasAskedDate = dates !== null && candidates.some(({ text }) => dates.find(text).size > 0);
  const cues = { type: answerTypeOf(question), lowerCase: question.toLowerCase() };
  const wantsList = asksForList(question);
  const asksForNew = !wantsList && cues.type.kind !== "permission" && cues.type.kind !== "other";
  const own = candidates.map((candidate) => terms.find(candidate.text));
  const contextOf = createContexts(terms);
  const around = chunks.map(({ text, header = "", leadingText }) => [
    { found: terms.find(`${header}\n${text}`), counts: nearby.chunk },
    { found: leadingText === undefined ? undefined : terms.find(leadingText), counts: nearby.leading },
  ]);
  const contexts = new Set(candidates.map(contextOf));
  const elsewhere = [...contexts].flatMap(({ label, above }) => [label, above]);
  const coverageOf = createCoverage(terms, { sentences: own, around, elsewhere });
  const best = Math.max(...chunks.map((chunk) => chunk.similarity), Number.MIN_VALUE);
  return candidates.map((sentence, index) => {
    const context = contextOf(sentence);
    const isPart = isLine(sentence);
    const { label, above } = isPart ? nearby.line : nearby.prose;
    const coverage = coverageOf(sentence.chunk, [
      { found: own[index], counts: 1, countsRelated: nearby.related },
      { found: context.label, counts: label, countsRelated: label * nearby.relatedAbove },
      { found: context.above, counts: above, countsRelated: above * nearby.relatedAbove },
      ...(sentence.place > 0 && !sentence.isGroup
        ? [{ found: own[index - 1], counts: nearby.previous }]
        : []),
    ]);
    const chunk = Math.max(0, chunks[sentence.chunk]?.similarity ?? 0) / best;
    const bonus = connecting.some((place) => touches(sentence, place)) ? weight.connecting : 0;
    const repeats = asksForNew && repeatsQuestion(sentence, terms.asked);
    const isOtherDate = hasAskedDate && dates.isOther(sentence.text);
    const factor =
      share(sentence, { coverage, wantsList }) *
      (repeats ? REPEATED.share : 1) *
      (isOtherDate ? OTHER_DATE : 1);
    const withCue = (cue: number): number =>
      (weight.coverage * coverage +
        weight.cue * cue * (0.3 + 0.7 * coverage) +
        weight.chunk * chunk +
        (isPart ? weight.label * context.fit : 0) +
        bonus) *
      factor;
    return {
      sentence,
      bound: withCue(1),
      score: () => withCue(cueScore(sentence.text, cues, terms.find)),
      coverage,
      share: shareOf(terms.asked, own[index]),
      isOtherDate,
      nearness:
        coverage *
        (NEARNESS_BASE + (1 - NEARNESS_BASE) * chunk) *
        (sentence.context.columns !== null && own[index]?.size === 0 ? OTHER_ROW : 1),
    };
  });
}

/** What stands before a colon names what follows. */
function repeatsQuestion({ text, isGroup }: SentenceCandidate, asked: ReadonlySet<string>): boolean {
  if (isGroup || text.length > REPEATED.maxUnits) return false;
  const said = queryTerms(text.slice(text.indexOf(": ") + 1));
  return said.length > 0 && said.every((term) => asked.has(term));
}

function shareOf(asked: ReadonlySet<string>, found: ReadonlySet<string> | undefined): number {
  if (asked.size === 0 || found === undefined) return 0;
  return [...found].filter((term) => asked.has(term)).length / asked.size;
}

function readQuestion(question: string, dates: AskedDates | null): AskedTerms {
  const asked = new Set(queryTerms(question));
  const related = findRelatedTerms(asked);
  const inWords = createTermFinder(new Set([...asked, ...[...related.values()].flat()]));
  const find: TermFinder =
    dates === null ? inWords : (text) => new Set([...inWords(text), ...dates.find(text)]);
  return { asked, related, find };
}

interface ContextTerms {
  readonly label: ReadonlySet<string>;
  readonly above: ReadonlySet<string>;
  /** 0…1: how much of the innermost heading or label the question has. */
  readonly fit: number;
}

/** Lines that stand under the same share one context: its terms are found once. */
function createContexts({ find }: AskedTerms): (candidate: SentenceCandidate) => ContextTerms {
  const known = new Map<LineContext, ContextTerms>();
  return ({ context }) => {
    const before = known.get(context);
    if (before !== undefined) return before;
    const last = context.above.at(context.columns === null ? -1 : -2) ?? "";
    const label = find(last);
    const words = new Set(queryTerms(last.slice(0, 300))).size;
    const made = {
      label: context.columns === null ? label : new Set([...label, ...find(context.above.at(-1) ?? "")]),
      above: find(context.above.join("\n")),
      fit: words === 0 ? 0 : Math.min(1, label.size / words),
    };
    known.set(context, made);
    return made;
  };
}

function touches(sentence: SentenceCandidate, { versionId, start, end }: TextPlace): boolean {
  return sentence.versionId === versionId && sentence.start < end && start < sentence.end;
}

function share(
  candidate: SentenceCandidate,
  { coverage, wantsList }: { readonly coverage: number; readonly wantsList: boolean },
): number {
  if (candidate.isGroup) return wantsList ? groupShare.asked : groupShare.other;
  const kind = candidate.isWeak ? Math.min(1, weakShare + (1 - weakShare) * 1.5 * coverage) : 1;
  return (
    kind *
    (/\?["'”’)]{0,2}$/.test(candidate.text) ? questionShare[candidate.isQuestion ? "answered" : "asked"] : 1)
  );
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
