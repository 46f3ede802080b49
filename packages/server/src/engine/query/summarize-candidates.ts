/** Finds the sentences that a summary may quote in the chunks that were found. */

import { type Block, blocks, isSpace } from "../text/blocks.ts";
import { isAscii } from "../text/fold-text.ts";
import { blockSentences } from "../text/sentences.ts";
import { createWordingFilter } from "./wording.ts";

/** A chunk to quote from. */
export interface SummaryChunk {
  readonly text: string;
  readonly versionId: number;
  /** Offset of the text in its document, in UTF-16 code units. */
  readonly start: number;
  /** Score of the chunk, 0…1. */
  readonly similarity: number;
  /** Sentences of other chunks that lead from the question to this one: what they say it need not repeat. */
  readonly leadingText?: string;
}

export interface SentenceCandidate {
  /** Verbatim, but for list and quote marks before it and an ellipsis where a long one is cut. */
  readonly text: string;
  readonly versionId: number;
  /** Offset in the document. */
  readonly start: number;
  /** Place of its chunk in the given order. */
  readonly chunk: number;
  /** Place among the candidates of its chunk. */
  readonly place: number;
  /** A table row or a short line is `weak`: quoted only where it answers much better than prose. */
  readonly isWeak: boolean;
}

const maxCandidates = 500;
/** A longer sentence is quoted in part. */
const maxUnits = 420;

/**
 * The candidates of all chunks in order, each place of a document and each wording once (chunks
 * overlap). Headings, rules, code, titles and fragments are no candidates unless there is nothing else.
 */
export function findCandidates(chunks: readonly SummaryChunk[]): SentenceCandidate[] {
  const found = collect(chunks, isQuotable);
  return found.length > 0 ? found : collect(chunks, (piece) => /[\p{L}\p{N}]/u.test(piece.text));
}

interface SentencePiece {
  readonly text: string;
  readonly start: number;
  readonly block: Block;
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
    let place = 0;
    for (const piece of pieces(chunk)) {
      if (found.length >= maxCandidates) return found;
      const start = chunk.start + piece.start;
      if (!accepts(piece) || seen.has(start) || !isNewWording(piece.text)) continue;
      seen.add(start);
      found.push({
        text: piece.text,
        versionId,
        start,
        chunk: index,
        place: place++,
        isWeak: isFragment(piece),
      });
    }
  }
  return found;
}

function* pieces(chunk: SummaryChunk): Generator<SentencePiece> {
  for (const block of blocks(chunk.text)) {
    for (const { start, end } of blockSentences(chunk.text, block)) {
      const isFirst = start === 0 && chunk.start === 0;
      for (const piece of windows(chunk.text.slice(start, end))) {
        const mark = start === block.start && piece.at === 0 ? lineMark(piece.text) : 0;
        const text = piece.text.slice(mark).trimEnd();
        if (text !== "") yield { text, start: start + piece.at + mark, block, isFirst };
      }
    }
  }
}

/** Length of the list or quote mark at the beginning of a line. */
function lineMark(line: string): number {
  return /^(?:[-*+•‣▪◦·>]\s+|\(?(?:\d{1,3}|[a-z])[.)]\s+){1,3}/.exec(line)?.[0].length ?? 0;
}

/** The sentence, or parts of a very long one, cut between words and marked with an ellipsis where it is cut. */
function* windows(sentence: string): Generator<{ readonly text: string; readonly at: number }> {
  let at = 0;
  while (sentence.length - at > maxUnits) {
    const window = sentence.slice(at, at + maxUnits);
    const space = window.search(/\s\S*$/);
    const length = space > maxUnits / 2 ? space : maxUnits - (isCutPair(sentence, at + maxUnits) ? 1 : 0);
    yield { text: `${at > 0 ? "…" : ""}${window.slice(0, length).trimEnd()}…`, at };
    at += length;
    while (/\s/.test(sentence.charAt(at))) at++;
  }
  if (at < sentence.length) yield { text: `${at > 0 ? "…" : ""}${sentence.slice(at)}`, at };
}

function isCutPair(text: string, at: number): boolean {
  return /[\ud800-\udbff]/.test(text.charAt(at - 1)) && /[\udc00-\udfff]/.test(text.charAt(at));
}

/** Prose, a table row with content, or a line that says something: not a title, not a fragment. */
function isQuotable({ text, block, isFirst }: SentencePiece): boolean {
  if (block.kind === "heading" || block.kind === "rule" || block.kind === "code" || block.kind === "meta") {
    return false;
  }
  if (!/\p{L}/u.test(text) || isMenu(text)) return false;
  const isEnded = endsLikeSentence(text);
  if (isFirst && !isEnded && countWords(text) <= 16) return false;
  if (isEnded) return countWords(text) >= 3;
  return countWords(text) >= 5 || /[:=|]\s*\S/.test(text);
}

/** "Home | Products | Contact": a row that is neither a table's nor holds a figure. */
function isMenu(text: string): boolean {
  return text.includes(" | ") && !text.startsWith("|") && !/\d/.test(text);
}

function isFragment({ text, block }: SentencePiece): boolean {
  if (block.kind === "row") return true;
  return !endsLikeSentence(text) && countWords(text) < 8;
}

/** Whether a quotation ends with a stop, closing quotes and reference marks aside. */
export function endsLikeSentence(text: string): boolean {
  return /[.!?…。！？｡।॥؟۔։።]["'”’»›)\]*_`」』）\d[]{0,8}$/.test(text);
}

/** Words, at most 20; a script without spaces counts three code units as two. */
function countWords(text: string): number {
  let words = 1;
  for (let at = 0; at < text.length && at < 200 && words < 20; at++) {
    if (isSpace(text.charCodeAt(at)) && (at === 0 || !isSpace(text.charCodeAt(at - 1)))) words++;
  }
  const beginning = text.slice(0, 40);
  if (isAscii(beginning)) return words;
  const dense = beginning.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]/gu)?.length ?? 0;
  return Math.max(words, Math.floor((dense * 2) / 3));
}
