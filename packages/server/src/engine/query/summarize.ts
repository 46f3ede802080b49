/** Answers a question with sentences of the chunks that were found: no language model, nothing invented. */

import type { AnswerReading, ComposedSummary, OtherTimes } from "../../domain/query.ts";
import { queryTerms } from "../text/terms.ts";
import { createStrangers, readAskedNames } from "./asked-names.ts";
import { readComparison } from "./dynamic/comparison.ts";
import { createOtherRows } from "./other-rows.ts";
import { endsLikeSentence, hasOuterSubject, refersBack } from "./quotation.ts";
import {
  candidatesAt,
  findCandidates,
  isLine,
  quoteOf,
  type SentenceCandidate,
  type SummaryChunk,
} from "./summarize-candidates.ts";
import { denialOf } from "./summarize-denial.ts";
import { lazyTerms, type RankedSentence, rank } from "./summarize-rank.ts";
import { type SentenceScore, scoreSentences, type TextPlace } from "./summarize-score.ts";
import { joinParts, latestIn, partByTime, preferTime } from "./summarize-times.ts";

export interface SummaryInput {
  readonly query: string;
  /** Best first. */
  readonly chunks: readonly SummaryChunk[];
  /** Places that connect the question with the chunks: sentences there are worth more. */
  readonly connecting?: readonly TextPlace[];
  /** What a model that read the chunks found; null where none did. */
  readonly reading?: AnswerReading | null;
  /** null where the time of nothing is known. */
  readonly otherTimes?: OtherTimes | null;
  /** Normal forms of the names that what is asked has. Default: those of the question. */
  readonly names?: readonly string[];
}

/** A line, row or list says it by itself; what else scores much less speaks of other things. */
const minTaken = { prose: 2, line: 1 };
const maxSentences = 4;
const maxSummaryUnits = 1200;
/** A further sentence must score at least this share of the best. */
const furtherShare = { prose: 0.6, line: 0.8 };
/** What a sentence loses by repeating the terms of one that is already taken. */
const repetitionWeight = 0.4;
/** Above this share of common terms it is the same sentence in other words. */
const sameShare = 0.8;
/** Quoted where nothing answers. */
const MAX_NEAREST = 2;
const NEAREST = "What comes nearest:";
/** A sentence and the one before it stand in one paragraph where no more than this lies between them. */
const maxGapUnits = 2;

/**
 * The two to four sentences that best answer the question (fewer if there are not more), verbatim: the best one with what it refers back to, then
 * the others in reading order, documents by the score of their best sentence, then by offset. Where a line of a list or table answers, it may stand alone, below the
 * heading, label or columns that it stands under; a short list is quoted whole where the question asks for one. No sentence twice, nor
 * one that says nearly the same. At most about 1,200 UTF-16 code units; of a sentence above 420 only the best
 * part is quoted, cut between words and marked with "…". No chunks give the empty string. Where nothing answers,
 * a sentence says so, before the nearest two sentences or in place of them. Where a model found the answer, the sentence with it is the best one.
 *
 * Below 1 ms for ten chunks: scores and terms are found for no more sentences than could be quoted. Comparing the best 8 or 16 sentences with the question as vectors, too, was
 * tried and left out: 8 or 16 embeddings more per question, and 77.1 % of 266 questions about two public
 * sets had their answer in the summary, against 77.4 % without.
 */
export function summarize(input: SummaryInput): Summary {
  return composeSummary(input, scoreAnswer(input));
}

export interface Summary extends Pick<ComposedSummary, "text" | "isDenied"> {
  /** What answers, verbatim, each with what stands above it; nothing where nothing answers. */
  readonly answers: readonly string[];
  /** In the order of the text, with the indexes of their chunks; where nothing answers, what comes nearest. */
  readonly quoted: readonly { readonly chunk: number; readonly start: number }[];
}

/** {@link summarize} with the scores of all sentences, which are known already. */
export function composeSummary(input: SummaryInput, all: readonly SentenceScore[]): Summary {
  const { query, chunks, reading = null } = input;
  const asked = readAskedNames(query);
  const denial = denialOf({ query, asked, chunks, scores: all, reading });
  const isStranger = createStrangers(input.names ?? asked.about, chunks);
  // Of things that are compared, what is said of one is said of the others in the same words.
  const shared: ReadonlySet<string> = new Set(readComparison(query) !== null ? queryTerms(query) : []);
  const sentences = all.map(({ sentence }) => sentence);
  const isOtherRow = createOtherRows(query, asked.about, sentences);
  // Beside sentences about what is asked, one that does not say itself what it is about would be read as being about that, too.
  const scores = all.filter(
    ({ sentence }) => !isOtherRow(sentence) && (!isBare(sentence) || !isStranger(sentence.chunk)),
  );
  const ofOtherDates = all.filter(({ isOtherDate }) => isOtherDate);
  const isOfOtherDate = (one: SentenceCandidate) =>
    ofOtherDates.some(({ sentence }) => overlaps(sentence, one));
  if (denial === null) {
    const place = reading?.answer ?? null;
    const otherTimes = input.otherTimes ?? null;
    const [latest, read] = [latestIn(chunks, otherTimes), place === null ? [] : candidatesAt(chunks, place)];
    const found = [...latest, ...read.filter((one) => !latest.some((other) => overlaps(one, other)))]
      .slice(0, maxSentences)
      .filter((sentence) => !isStranger(sentence.chunk) && !isOfOtherDate(sentence) && !isOtherRow(sentence));
    const times = preferTime(scores, otherTimes, found);
    const { leading, further } = select(times.scores, {
      ...{ most: maxSentences, shared, isLeftOut: times.isLeftOut },
      found: found.filter((sentence) => !times.isLeftOut(sentence)),
    });
    const taken = withoutRepeatedHeadings([...order(leading), ...order(further)]);
    const parts = partByTime(taken, times);
    return {
      text: joinParts(parts, join),
      answers: taken.map((each) => `${each.lead}\n${quoteOf(each)}`),
      quoted: [...parts.ended, ...parts.rest],
      isDenied: false,
    };
  }
  const { statement, isSure, isNear, isApart = false } = denial;
  const most = isSure ? MAX_NEAREST : maxSentences;
  if (!isNear) return { text: statement, answers: [], quoted: [], isDenied: isSure };
  const { leading, further } = select(scores, {
    ...{ most, shared, found: [] },
    isLeftOut: ({ chunk }) => isApart && isStranger(chunk),
  });
  const nearest = [...order(leading), ...order(further)];
  return {
    text: `${statement} ${NEAREST}\n${join(nearest)}`,
    answers: [],
    quoted: nearest,
    isDenied: isSure,
  };
}

/** Whether it is prose that names nothing, or whose subject stands outside it. */
function isBare({ text, lead, isWeak, isGroup }: SentenceCandidate): boolean {
  if (lead !== "" || isWeak || isGroup) return false;
  return hasOuterSubject(text) || /^\P{L}{0,5}\p{Lu}[^\p{Lu}]*$/u.test(text);
}

/** A heading that stands above another quoted line anyway says nothing more by itself. */
function withoutRepeatedHeadings(taken: readonly RankedSentence[]): readonly RankedSentence[] {
  const isAbove = (heading: RankedSentence, other: RankedSentence) =>
    other !== heading && `${other.lead}\n${other.text}`.split("\n").includes(heading.text);
  return taken.filter((sentence) => !sentence.isQuestion || !taken.some((other) => isAbove(sentence, other)));
}

/** Everything that could be quoted, with its scores, in the order of the chunks. */
export function scoreAnswer({ query, chunks, connecting = [] }: SummaryInput): readonly SentenceScore[] {
  return scoreSentences(findCandidates(chunks), { chunks, question: query, connecting });
}

interface Wanted {
  readonly most: number;
  /** Terms that a sentence may repeat. */
  readonly shared: ReadonlySet<string>;
  /** What a model found. */
  readonly found: readonly SentenceCandidate[];
  /** Quoted only where another one refers back to it. */
  readonly isLeftOut: (sentence: SentenceCandidate) => boolean;
}

interface Selected {
  /** What was found, else the best sentence, each after what it refers back to. */
  readonly leading: readonly RankedSentence[];
  readonly further: readonly RankedSentence[];
}

/**
 * Takes what a model found, else the best sentence, then the best of what adds to it; before one that refers back goes what
 * it refers to. What was found counts as much as the best sentence.
 */
function select(scores: readonly SentenceScore[], { most, shared, found, isLeftOut }: Wanted): Selected {
  const ranked = rank(scores.filter(({ sentence }) => !isLeftOut(sentence)));
  const top = ranked.next().value;
  const bestScore = top?.score ?? 0;
  const taken: RankedSentence[] = [];
  let units = 0;

  function take(sentence: RankedSentence): void {
    const antecedent = antecedentOf(sentence, { scores, taken });
    units += unitsOf(sentence, taken);
    taken.push(sentence);
    if (antecedent === null || taken.length >= most) return;
    const more = unitsOf(antecedent, taken);
    if (units + more > maxSummaryUnits) return;
    taken.push(antecedent);
    units += more;
  }

  for (const sentence of found)
    if (taken.length < most)
      take({ ...sentence, score: bestScore, coverage: 1, terms: lazyTerms(sentence.text) });
  if (taken.length === 0 && top !== undefined) take(top);
  const leading = taken.slice();
  const [first] = taken;
  if (first === undefined) return { leading, further: [] };
  const kind = isLine(first) ? "line" : "prose";
  let rest: readonly RankedSentence[] = top === undefined || first === top ? [] : [top];
  while (taken.length < most) {
    const least = taken.length >= minTaken[kind] ? bestScore * furtherShare[kind] : 0;
    const added = bestNext({ rest, ranked, taken, least, shared });
    const { next } = added;
    if (next === undefined || units + unitsOf(next, taken) > maxSummaryUnits) break;
    rest = added.rest.filter((sentence) => sentence !== next);
    take(next);
  }
  return { leading, further: taken.slice(leading.length) };
}

/** What it adds to the length of a summary: lines under the same heading, label or columns show these once. */
function unitsOf(sentence: RankedSentence, taken: readonly RankedSentence[]): number {
  const { lead } = sentence;
  return quoteOf(sentence).length + (taken.some((other) => other.lead === lead) ? 0 : lead.length);
}

/** The sentence before one that begins with a word that refers back, where it is not taken yet. */
function antecedentOf(
  sentence: RankedSentence,
  { scores, taken }: { readonly scores: readonly SentenceScore[]; readonly taken: readonly RankedSentence[] },
): RankedSentence | null {
  if (!refersBack(sentence.text)) return null;
  const found = scores.find(
    ({ sentence: other }) =>
      !other.isGroup &&
      other.versionId === sentence.versionId &&
      other.end <= sentence.start &&
      sentence.start - other.end <= maxGapUnits,
  );
  if (found === undefined || taken.some((other) => overlaps(found.sentence, other))) return null;
  return {
    ...found.sentence,
    score: found.bound,
    coverage: found.coverage,
    terms: lazyTerms(found.sentence.text),
  };
}

interface Selection {
  /** What `ranked` gave before and is not taken. */
  readonly rest: readonly RankedSentence[];
  /** Scores and terms cost time: asked for no more than could be better. */
  readonly ranked: Iterator<RankedSentence, undefined>;
  readonly taken: readonly RankedSentence[];
  /** What scores less is not worth to be added. */
  readonly least: number;
  readonly shared: Wanted["shared"];
}

/** The sentence that adds most, and what else may still be added. */
function bestNext({ rest, ranked, taken, least, shared }: Selection) {
  const kept: RankedSentence[] = [];
  let next: RankedSentence | undefined;
  let best = least;
  const isBetter = (score: number) => (next === undefined ? score >= best : score > best);
  for (let known = 0; ; known++) {
    const sentence = rest[known] ?? ranked.next().value;
    if (sentence === undefined) break;
    // Without what it may lose: finding what it repeats costs more.
    if (isBetter(sentence.score)) {
      if (taken.some((other) => overlaps(sentence, other) || isOfOtherQuestion(sentence, other))) continue;
      const terms = sentence.terms();
      if (taken.some((other) => overlap(terms, other.terms()) >= sameShare)) continue;
      const own = terms.difference(shared);
      const repeated = Math.max(...taken.map((other) => overlap(own, other.terms().difference(shared))));
      const score = sentence.score - repetitionWeight * repeated * sentence.score;
      if (isBetter(score)) {
        next = sentence;
        best = score;
      }
    }
    kept.push(sentence);
    if (known >= rest.length && !isBetter(sentence.score)) break;
  }
  return { next, rest: kept };
}

/** Whether it answers another question, which has less of what is asked than that of an answer that is taken. */
function isOfOtherQuestion({ context, lead, coverage }: RankedSentence, taken: RankedSentence): boolean {
  return context.isAnswer && taken.context.isAnswer && lead !== taken.lead && coverage < taken.coverage;
}

/** Whether both quote some of the same place. */
function overlaps(a: TextPlace, b: TextPlace): boolean {
  return a.versionId === b.versionId && a.start < b.end && b.start < a.end;
}

/** Share of the terms of the shorter sentence that the other has too. */
function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [small, large] = one.size <= other.size ? [one, other] : [other, one];
  if (small.size === 0) return large.size === 0 ? 1 : 0;
  let common = 0;
  for (const term of small) if (large.has(term)) common++;
  // A short sentence inside a long one repeats it, but the long one may say more.
  return common / Math.sqrt(small.size * large.size);
}

/** Reading order. */
function order(taken: readonly RankedSentence[]): RankedSentence[] {
  const documents = [...new Set(taken.map((sentence) => sentence.versionId))];
  const rank = (sentence: RankedSentence) => documents.indexOf(sentence.versionId);
  return [...taken].sort((a, b) => rank(a) - rank(b) || a.start - b.start);
}

/**
 * Sentences follow one another after a space; lines, and what they stand under, have lines of their own. A blank line ends what
 * stands under a heading, label or columns.
 */
function join(sentences: readonly RankedSentence[]): string {
  let summary = "";
  let lead = "";
  let wasLine = false;
  for (const sentence of sentences) {
    const isOwnLine = sentence.isGroup || sentence.lead !== "" || sentence.row !== null;
    const startsLine = wasLine || isOwnLine || !endsLikeSentence(summary);
    if (summary !== "") summary += lead !== "" && sentence.lead === "" ? "\n\n" : startsLine ? "\n" : " ";
    if (sentence.lead !== "" && sentence.lead !== lead) summary += `${sentence.lead}\n`;
    summary += quoteOf(sentence);
    lead = sentence.lead;
    wasLine = isOwnLine;
  }
  return summary;
}
