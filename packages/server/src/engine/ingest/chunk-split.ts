/** Splits a sentence that is too long for one chunk at clause, word or code-point boundaries. */

import { type Span, trimSpan } from "../text/blocks.ts";

export interface SplitOptions {
  /** No piece costs more, except a single code point that does. */
  readonly limitTokens: number;
  /** Tokens of a piece. */
  readonly cost: (text: string) => number;
}

export interface Piece extends Span {
  readonly cost: number;
}

/** First estimate of UTF-16 code units per token; each piece corrects it for the next. */
const initialUnitsPerToken = 4;

/**
 * Yields trimmed pieces that cover the span except white space, in order. Linear time: a window that is too long is measured
 * again at no more than three quarters of its length, and the length of the next window is estimated from the last piece.
 */
export function* splitSpan(text: string, span: Span, options: SplitOptions): Generator<Piece> {
  let { start } = trimSpan(text, span.start, span.end);
  let unitsPerToken = initialUnitsPerToken;
  while (start < span.end) {
    const piece = takePiece(text, { start, end: span.end }, { ...options, unitsPerToken });
    if (piece.cost > 0) unitsPerToken = Math.max(1, (piece.end - piece.start) / piece.cost);
    yield piece;
    start = trimSpan(text, piece.end, span.end).start;
  }
}

function takePiece(
  text: string,
  span: Span,
  options: SplitOptions & { readonly unitsPerToken: number },
): Piece {
  const { limitTokens, cost } = options;
  // 5% below the estimate, so that most windows are measured once.
  let units = Math.max(1, Math.floor(limitTokens * options.unitsPerToken * 0.95));
  for (;;) {
    const end = cutBefore(text, span, units);
    const piece = trimSpan(text, span.start, end);
    const pieceCost = cost(text.slice(piece.start, piece.end));
    const length = piece.end - piece.start;
    if (pieceCost <= limitTokens || isOneCodePoint(text, piece)) return { ...piece, cost: pieceCost };
    units = Math.max(1, Math.min(Math.floor((length * limitTokens) / pieceCost), Math.floor(length * 0.75)));
  }
}

/** Where to cut at most `units` after the start: after a clause, else before a word, else between code points. */
function cutBefore(text: string, { start, end }: Span, units: number): number {
  if (end - start <= units) return end;
  const limit = start + units;
  const earliest = start + Math.floor(units / 2);
  const window = text.slice(earliest, limit + 1);
  const clause = lastMatch(window, /[,;:)\]—–،、，；：](?=\s)|[、，；：]/g);
  if (clause > 0 && earliest + clause <= limit) return earliest + clause;
  const word = lastMatch(window, /\s+/g);
  if (word > 0 && earliest + word <= limit) return earliest + word;
  return avoidPair(text, start, limit);
}

/** The end of the last match, or 0. */
function lastMatch(window: string, pattern: RegExp): number {
  let end = 0;
  for (const match of window.matchAll(pattern)) end = match.index + match[0].length;
  return end;
}

/** Moves a cut that would separate a surrogate pair: before the pair, or after it where the pair begins the piece. */
function avoidPair(text: string, start: number, cut: number): number {
  const isPair = isHighSurrogate(text.charCodeAt(cut - 1)) && isLowSurrogate(text.charCodeAt(cut));
  if (!isPair) return cut;
  return cut - 1 > start ? cut - 1 : cut + 1;
}

function isOneCodePoint(text: string, { start, end }: Span): boolean {
  return end - start === 1 || (end - start === 2 && (text.codePointAt(start) ?? 0) > 0xffff);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
