/** Finds what a model quotes in the text that it read: verbatim, but for how much white space stands between words. */
import type { Span } from "../../../../domain/graph.ts";

const MAX_QUOTE = 1_000;
const letter = /[\p{L}\p{N}\p{M}]/u;
const spaceless =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** Where the quote stands as whole words, in order, at most `limit` places; none for a quote without a letter or digit. */
export function findQuote(text: string, quote: string, limit: number): readonly Span[] {
  const trimmed = quote.trim();
  if (trimmed.length > MAX_QUOTE || !letter.test(trimmed)) return [];
  const found = findExact(text, trimmed, limit);
  if (found.length > 0 || !/\s/.test(trimmed)) return found;
  const pattern = trimmed.split(/\s+/).map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  const spans: Span[] = [];
  for (const match of text.matchAll(new RegExp(pattern.join("\\s+"), "gu"))) {
    const span = { start: match.index, end: match.index + match[0].length };
    if (isWhole(text, span)) spans.push(span);
    if (spans.length >= limit) break;
  }
  return spans;
}

function findExact(text: string, quote: string, limit: number): readonly Span[] {
  const spans: Span[] = [];
  let start = text.indexOf(quote);
  while (start !== -1 && spans.length < limit) {
    const span = { start, end: start + quote.length };
    if (isWhole(text, span)) spans.push(span);
    start = text.indexOf(quote, start + quote.length);
  }
  return spans;
}

/** Neither end cuts a word. Scripts without spaces between words have no such ends: there anything is whole. */
function isWhole(text: string, { start, end }: Span): boolean {
  return !cutsWord(text, start) && !cutsWord(text, end);
}

function cutsWord(text: string, at: number): boolean {
  const before = text.charAt(at - 1);
  const after = text.charAt(at);
  if (!letter.test(before) || !letter.test(after)) return false;
  return !spaceless.test(before + after);
}
