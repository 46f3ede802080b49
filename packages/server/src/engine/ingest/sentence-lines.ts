/** Splits sentences at line ends that separate them: lists, minutes, logs and letters often have no full stops. */

import type { Span } from "../../domain/graph.ts";

/** A line below this share of the longest line was ended on purpose; wrapped prose fills its lines. */
const FILLED_SHARE = 0.7;
const MAX_SHORT_UNITS = 70;
const ITEM = /^\s*(?:[[*•–—-]|\d{1,3}[.)]\s)/;
const KEY = /^\s{0,60}\p{L}[\p{L} _/-]{0,40}:\s/u;
const CAPITAL = /^\s*["“'(]*[\p{Lu}\d]/u;

/** The pieces of a sentence of `text`, trimmed and in order; the sentence itself where it is not split. */
export function splitLines(text: string, { start, end }: Span): readonly Span[] {
  const body = text.slice(start, end);
  if (!body.includes("\n")) return [{ start, end }];
  const longest = text.split("\n").reduce((most, line) => Math.max(most, line.length), 0);
  const pieces: Span[] = [];
  let from = 0;
  for (let at = body.indexOf("\n"); at >= 0; at = body.indexOf("\n", at + 1)) {
    const line = lineAt(text, start + at);
    if (!endsHere(line, body.slice(at + 1, at + 60), longest)) continue;
    pieces.push(trimmed(text, start + from, start + at));
    from = at + 1;
  }
  pieces.push(trimmed(text, start + from, end));
  return pieces.filter((piece) => piece.end > piece.start);
}

/** The line that ends at this line feed. */
function lineAt(text: string, at: number): string {
  return text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
}

function endsHere(line: string, next: string, longest: number): boolean {
  if (ITEM.test(next) || KEY.test(next)) return true;
  const isShort = line.length < MAX_SHORT_UNITS && line.length < longest * FILLED_SHARE;
  return isShort && CAPITAL.test(next);
}

function trimmed(text: string, start: number, end: number): Span {
  const piece = text.slice(start, end);
  const from = start + piece.length - piece.trimStart().length;
  return { start: from, end: Math.max(from, start + piece.trimEnd().length) };
}
