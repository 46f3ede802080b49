/** Pieces of a text with their places in it. */

import type { Span } from "../../../../domain/graph.ts";

export interface Piece extends Span {
  readonly text: string;
}

/** Without the white space around it. */
export function trimmed(text: string, offset: number): Piece {
  const body = text.trim();
  const start = offset + text.length - text.trimStart().length;
  return { text: body, start, end: start + body.length };
}

/** What stands between the separators, trimmed; also empty pieces. */
export function splitAt({ text, start }: Piece, separators: RegExp): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(separators)) {
    pieces.push(trimmed(text.slice(from, match.index), start + from));
    from = match.index + match[0].length;
  }
  pieces.push(trimmed(text.slice(from), start + from));
  return pieces;
}

export function countWords(text: string): number {
  return text.split(/\s/).filter((word) => word !== "").length;
}
