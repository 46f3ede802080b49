/** Finds what a summary may quote in the chunks that were found: sentences, lines, rows, and short lists as a whole. */

import type { Block, Span } from "../text/blocks.ts";
import { blockSentences } from "../text/sentences.ts";
import { hasLayout, isMarkup } from "./markup.ts";
import {
  answerMark,
  countWords,
  endsLikeSentence,
  isQuestion,
  isQuestionMarked,
  isToldLeadIn,
  MAX_QUOTED_UNITS,
  SENTENCE_WORDS,
  type Window,
  windows,
} from "./quotation.ts";
import { findGroups } from "./summarize-groups.ts";
import { hasTitle, labelsAbove, MAX_LEAD_LINES, type Source, short } from "./summarize-lead.ts";
import {
  bareSpan,
  isKeyLine,
  type LineContext,
  type OutlinedBlock,
  outlineChunk,
} from "./summarize-outline.ts";
import { isMenu, withProseCells } from "./summarize-rows.ts";
import { type NamedCells, nameCells, partsOfRow, quoteRow } from "./table-rows.ts";
import { createWordingFilter } from "./wording.ts";

/** A chunk to quote from. */
export interface SummaryChunk {
  readonly text: string;
  /** Title and section that the text stands under; never quoted. */
  readonly header?: string;
  readonly versionId: number;
  /** Offset of the text in its document, in UTF-16 code units. */
  readonly start: number;
  /** Score of the chunk, 0…1. */
  readonly similarity: number;
  /** Of question and chunk, −1…1. */
  readonly cosine?: number;
  /** Of question and chunk by words and vectors alone, 0…1. */
  readonly fused?: number;
  /** Sentences of other chunks that lead from the question to this one: what they say it need not repeat. */
  readonly leadingText?: string;
}

export interface SentenceCandidate {
  /** Verbatim, but for list and quote marks before it and an ellipsis where a long one is cut. */
  readonly text: string;
  /** The cells of a row, by which it is quoted and read, with offsets in the document; null for all else, which is quoted as it is. */
  readonly row: NamedCells | null;
  readonly versionId: number;
  /** Offsets in the document. */
  readonly start: number;
  readonly end: number;
  /** Place of its chunk in the given order. */
  readonly chunk: number;
  /** Place among the candidates of its chunk; what a list holds has places of its own. */
  readonly place: number;
  /** A table row or a short line is `weak`: quoted only where it answers much better than prose. */
  readonly isWeak: boolean;
  /** A list or an entry with all its lines. */
  readonly isGroup: boolean;
  /** A question that what follows it answers. */
  readonly isQuestion: boolean;
  readonly context: LineContext;
  /** Quoted above a line that says little alone: the heading, label or columns that it stands under, verbatim. */
  readonly lead: string;
}

const maxCandidates = 500;
/** A longer answer is quoted sentence by sentence. */
const MAX_ANSWER_UNITS = 300;
const SHORT_ANSWER_WORDS = 4;

/**
 * The candidates of all chunks in order, each place of a document and each wording once (chunks
 * overlap). Headings, rules, code, titles and fragments are no candidates unless there is nothing else.
 */
export function findCandidates(chunks: readonly SummaryChunk[]): SentenceCandidate[] {
  const found = collect(chunks, isQuotable);
  return found.length > 0 ? found : collect(chunks, (piece) => /[\p{L}\p{N}]/u.test(piece.text));
}

/**
 * The sentences, lines or rows that hold some of a place in a document, also those that say too little to be candidates. In place of a heading or question,
 * the first of what stands under it, below it; but none for the heading of a table: its rows answer. None where no chunk holds all of the place.
 */
export function candidatesAt(
  chunks: readonly SummaryChunk[],
  { versionId, start, end }: { readonly versionId: number; readonly start: number; readonly end: number },
): SentenceCandidate[] {
  const index = chunks.findIndex(
    (chunk) =>
      chunk.versionId === versionId && chunk.start <= start && end <= chunk.start + chunk.text.length,
  );
  const chunk = chunks[index];
  if (chunk === undefined) return [];
  const outline = outlineOf(chunk);
  const source = { chunk, hasTitle: hasTitle(chunk, outline) };
  const ofTables = new Set(
    outline.flatMap(({ block }, at) =>
      outline[at + 1]?.block.kind === "row" && block.kind === "heading" ? block : [],
    ),
  );
  const all = [...pieces(chunk, outline)].filter(({ block }) => !ofTables.has(block));
  const found = new Map<number, SentenceCandidate>();
  for (const [place, piece] of all.entries()) {
    if (chunk.start + piece.start >= end || start >= chunk.start + piece.end) continue;
    const under = isHeading(piece) ? all.slice(place + 1).find((other) => standsUnder(other, piece)) : piece;
    if (under === undefined) continue;
    const candidate = toCandidate(under, { ...source, index, place });
    const lead = under !== piece && candidate.lead === "" ? piece.text : candidate.lead;
    if (!found.has(under.start)) found.set(under.start, { ...candidate, lead });
  }
  return [...found.values()];
}

function isHeading({ block, isLabel, isAsked, text }: SentencePiece): boolean {
  return isAsked || block.kind === "heading" || (isLabel && block.kind !== "row" && !endsLikeSentence(text));
}

function standsUnder(piece: SentencePiece, { start, end }: SentencePiece): boolean {
  return !isHeading(piece) && piece.context.labels.some((label) => label.start < end && start < label.end);
}

/** What a summary quotes. */
export function quoteOf({ text, row }: SentenceCandidate): string {
  return row === null ? text : quoteRow(row);
}

/** Whether it says little without what it stands under: a whole sentence of a list says as much as prose. */
export function isLine({ text, lead, isWeak, isGroup, context }: SentenceCandidate): boolean {
  return isWeak || isGroup || context.isAnswer || (lead !== "" && !isLongSentence(text));
}

function isLongSentence(text: string): boolean {
  return endsLikeSentence(text) && countWords(text) >= SENTENCE_WORDS;
}

interface SentencePiece {
  readonly text: string;
  /** Offsets in the chunk. */
  readonly start: number;
  readonly end: number;
  readonly block: Block;
  readonly context: LineContext;
  readonly isLabel: boolean;
  /** Whether it is a question that what follows answers. */
  readonly isAsked: boolean;
  /** Whether it is the first of its document. */
  readonly isFirst: boolean;
}

function collect(
  chunks: readonly SummaryChunk[],
  accepts: (piece: SentencePiece) => boolean,
): SentenceCandidate[] {
  const places = new Map<number, Set<number>>();
  const isNewWording = createWordingFilter();
  const found: SentenceCandidate[] = [];
  for (const [index, chunk] of chunks.entries()) {
    const { versionId } = chunk;
    const seen = places.get(versionId) ?? new Set();
    places.set(versionId, seen);
    const outline = outlineOf(chunk);
    const source = { chunk, hasTitle: hasTitle(chunk, outline) };
    let place = 0;
    for (const piece of pieces(chunk, outline)) {
      if (found.length >= maxCandidates) return found;
      const candidate = toCandidate(piece, { ...source, index, place });
      const { start, lead } = candidate;
      const quote = quoteOf(candidate);
      if (!accepts(piece) || seen.has(start) || !isNewWording(lead === "" ? quote : `${lead} ${quote}`))
        continue;
      seen.add(start);
      found.push(candidate);
      place++;
    }
    for (const group of findGroups(chunk.text, outline)) {
      if (found.length >= maxCandidates) return found;
      if (hasLayout(group.text) || !isNewWording(group.text)) continue;
      const { text, start, end, context } = group;
      const lead = labelsAbove(group, source, MAX_LEAD_LINES - 1);
      found.push({
        ...{ text, row: null, versionId, start: chunk.start + start, end: chunk.start + end, chunk: index },
        ...{ place: ++place, isWeak: false, isGroup: true, isQuestion: false, context, lead },
      });
    }
  }
  return found;
}

function outlineOf({ text, header = "" }: SummaryChunk): readonly OutlinedBlock[] {
  return withProseCells(text, outlineChunk(text, header));
}

function toCandidate(
  piece: SentencePiece,
  source: Source & { readonly chunk: SummaryChunk; readonly index: number; readonly place: number },
): SentenceCandidate {
  const { chunk, index, place } = source;
  const row = rowOf(piece, chunk);
  return {
    text: piece.text,
    row,
    versionId: chunk.versionId,
    start: chunk.start + piece.start,
    end: chunk.start + piece.end,
    chunk: index,
    place,
    isWeak: isFragment(piece),
    isGroup: false,
    isQuestion: piece.isLabel,
    context: piece.context,
    lead: leadOf(piece, row, source),
  };
}

function rowOf({ block, context, start, end }: SentencePiece, chunk: SummaryChunk): NamedCells | null {
  if (block.kind !== "row") return null;
  const wanted = { names: context.columnNames, part: { start, end }, offset: chunk.start };
  return nameCells(chunk.text, block, wanted);
}

function* pieces(chunk: SummaryChunk, outline: readonly OutlinedBlock[]): Generator<SentencePiece> {
  const { text: whole } = chunk;
  for (const { block, context: outer, isLabel } of outline) {
    for (const { start, end, context, isAsked } of unitsOf(whole, block, { context: outer, isLabel })) {
      if (isMarkup(whole.slice(start, end))) continue;
      const isFirst = start === 0 && chunk.start === 0;
      for (const piece of windowsOf(whole, block, { start, end })) {
        const mark =
          piece.at > start
            ? 0
            : block.kind === "heading"
              ? headingMark(piece.text)
              : markLength(piece.text, { isLine: start === block.start, context });
        const text = piece.text.slice(mark).trimEnd();
        const from = piece.at + mark;
        if (text !== "")
          yield {
            text,
            start: from,
            end: Math.min(piece.end, from + text.length),
            block,
            context,
            isLabel,
            isAsked,
            isFirst,
          };
      }
    }
  }
}

/** A long sentence in parts, a long row between its cells; offsets are those in the text. */
function* windowsOf(whole: string, { kind }: Block, span: Span): Generator<Window> {
  const parts = kind === "row" ? partsOfRow(whole, span, MAX_QUOTED_UNITS) : [span];
  for (const { start, end } of parts)
    for (const window of windows(whole.slice(start, end)))
      yield { text: window.text, at: start + window.at, end: start + window.end };
}

interface Unit extends Span {
  readonly context: LineContext;
  readonly isAsked: boolean;
}

/**
 * The sentences of a block with what each stands under, within the block, too: a question, or the first line of an item of several. What answers a question
 * is one, up to the next question, unless it is long.
 */
function* unitsOf(
  whole: string,
  block: Block,
  { context: outer, isLabel }: { readonly context: LineContext; readonly isLabel: boolean },
): Generator<Unit> {
  const isProse = block.kind === "paragraph" || block.kind === "item";
  let context = outer;
  let answer = null as Unit | null; // Else the compiler takes it for null in the loop.
  for (const span of blockLines(whole, block)) {
    const text = whole.slice(span.start, span.end);
    const isAsked = isProse && isQuestion(text) && (span.end < block.end || isLabel);
    const isLong = answer === null || span.end - answer.start > MAX_ANSWER_UNITS;
    if (answer !== null && (isAsked || isLong || answer.context !== context)) {
      yield answer;
      answer = null;
    }
    if (isAsked) context = outer;
    if (!isAsked && context.isAnswer && isProse) {
      answer = { ...span, start: answer?.start ?? span.start, context, isAsked };
    } else yield { ...span, context, isAsked };
    // A question among other prose asks for no more than a short answer beside it.
    const isApart = span.start === block.start || isQuestionMarked(text) || outer.isAnswer;
    if (isAsked && (isApart || isShortAnswer(whole.slice(span.end, block.end).slice(0, 80)))) {
      context = under(outer.isAnswer ? withoutLast(outer) : outer, whole, bareSpan(whole, span));
    } else if (!isAsked) {
      const inner = titledLine(whole, block, span);
      if (inner !== null) context = under(outer, whole, inner);
    }
  }
  if (answer !== null) yield answer;
}

/** The sentences of a block; lines of keys and values part where their lines end. */
function* blockLines(text: string, block: Block): Generator<Span> {
  for (const span of blockSentences(text, block)) {
    let from = span.start;
    for (let at = text.indexOf("\n", from); at >= 0 && at < span.end; at = text.indexOf("\n", at + 1)) {
      const isKey = isKeyLine(text.slice(from, at).slice(0, 60).trim());
      if (!isKey || !isKeyLine(text.slice(at + 1, at + 61).trim())) continue;
      yield { start: from, end: at };
      from = at + 1;
    }
    yield { start: from, end: span.end };
  }
}

/** The first line of an item of several, which heads the sentences after it. */
function titledLine(text: string, block: Block, { start, end }: Span): Span | null {
  if (block.kind !== "item" || start !== block.start || end >= block.end) return null;
  const sentence = text.slice(start, end);
  const lineEnd = sentence.indexOf("\n");
  const isTitled = lineEnd > 0 && lineEnd <= 100 && !endsLikeSentence(sentence.slice(0, lineEnd));
  return isTitled ? { start, end: start + lineEnd } : null;
}

function under(context: LineContext, text: string, label: Span): LineContext {
  const line = text.slice(label.start, label.end);
  return {
    ...context,
    above: [...context.above, line],
    labels: [...context.labels, label],
    isAnswer: isQuestion(line),
  };
}

/** What stands under another question. */
function withoutLast(context: LineContext): LineContext {
  const { above, labels } = context;
  return { ...context, above: above.slice(0, -1), labels: labels.slice(0, -1), isAnswer: false };
}

/** Length of the list or quote mark at the beginning of a line, or of the "A:" before an answer. */
function markLength(line: string, { isLine, context }: { isLine: boolean; context: LineContext }): number {
  const mark = isLine
    ? (/^(?:[-*+•‣▪◦·>]\s+|\(?(?:\d{1,3}|[a-z])[.)]\s+){1,3}/.exec(line)?.[0].length ?? 0)
    : 0;
  return mark + (context.isAnswer ? answerMark(line.slice(mark), context.above.at(-1) ?? "") : 0);
}

const headingMark = (line: string): number => /^#{1,6}\s+/.exec(line)?.[0].length ?? 0;

/** Prose, a table row with content, or a line that says something: not a title, not a fragment. */
function isQuotable({ text, block, isFirst, isLabel, isAsked, context }: SentencePiece): boolean {
  // Its answer is quoted below it.
  if (isAsked) return false;
  // A heading may be the answer where it has a figure: a version with its date.
  if (block.kind === "heading") return /\d/.test(text) && countWords(text) >= 3 && !isQuestion(text);
  if (["rule", "code", "meta"].includes(block.kind)) return false;
  if (isLabel && context.columns === null && !endsLikeSentence(text) && !isToldLeadIn(text)) return false;
  if (context.isAnswer) return /[\p{L}\p{N}]/u.test(text);
  if (!/\p{L}/u.test(text) || isMenu(text, context)) return false;
  const isEnded = endsLikeSentence(text);
  if (isFirst && !isEnded && countWords(text) <= 16) return false;
  if (isEnded) return countWords(text) >= 3;
  return (
    countWords(text) >= 5 || /[:=|]\s*\S/.test(text) || (block.kind === "item" && context.above.length > 0)
  );
}

function isFragment({ text, block }: SentencePiece): boolean {
  if (block.kind === "row" || block.kind === "heading") return true;
  return !endsLikeSentence(text) && (countWords(text) < SENTENCE_WORDS || isKeyLine(text));
}

const bareAnswer = /^(?:yes|no|never|none|always|only)\b/i;

/** Whether what follows a question answers it in a few words or begins as an answer does. */
function isShortAnswer(rest: string): boolean {
  const [first = ""] = /^[^.!?。！？]{1,60}[.!?。！？]/u.exec(rest.trimStart()) ?? [];
  return bareAnswer.test(rest.trimStart()) || (first !== "" && countWords(first) <= SHORT_ANSWER_WORDS);
}

/** Prose stands for itself; a row needs what the table is of, and its columns where they are not named in it, a line of a list or an answer what it stands under. */
function leadOf(piece: SentencePiece, row: NamedCells | null, source: Source): string {
  const { context, block } = piece;
  if (context.columns !== null) {
    const columns =
      row?.form !== "named"
        ? short(quoteRow(nameCells(source.chunk.text, context.columns, { names: null })))
        : "";
    return short([labelsAbove(piece, source, 1), columns].filter((line) => line !== "").join("\n"));
  }
  const isPart = isFragment(piece) || block.kind === "item" || context.isAnswer;
  return isPart || bareAnswer.test(piece.text) ? labelsAbove(piece, source, MAX_LEAD_LINES) : "";
}
