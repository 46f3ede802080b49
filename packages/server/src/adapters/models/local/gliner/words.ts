/** Words as the GLiNER library cuts them, and the windows in which a text of many words is read. */
import type { Span } from "../../../../domain/graph.ts";

/** Letters, digits and underscores, joined by hyphens; any other character alone. A combining mark is no part of a word. */
const WORD = /[\p{L}\p{N}_]+(?:-[\p{L}\p{N}_]+)*|[^\p{L}\p{N}_ ]/gu;
/** Besides the space, the characters that Python's regular expressions take for spaces. */
const SPACES: ReadonlySet<string> = new Set(
  [
    ...[0x9, 0xa, 0xb, 0xc, 0xd, 0x1c, 0x1d, 0x1e, 0x1f, 0x85, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002],
    ...[
      0x2003, 0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000,
    ],
  ].map((code) => String.fromCodePoint(code)),
);
/** More words than a chunk has. */
const MAX_WORDS = 8_192;

/** Offsets in UTF-16 units. */
export function splitWords(text: string): readonly Span[] {
  const words: Span[] = [];
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (words.length === MAX_WORDS) break;
    if (!SPACES.has(word)) words.push({ start: index, end: index + word.length });
  }
  return words;
}

/** Indices of words; `to` is exclusive. */
export interface WordWindow {
  readonly from: number;
  readonly to: number;
}

/** A text that needs more is not read to its end: more words than the longest chunk has. */
const MAX_WINDOWS = 128;
/** Of a window is read again in the next one, so that names and relations at its end have what follows them. */
const OVERLAP = 1 / 4;

/** As many words as fit, then again from a quarter before the end. `tokens`: of each word. A word that does not fit is alone. */
export function cutWindows(
  tokens: readonly number[],
  limits: { readonly words: number; readonly tokens: number },
): readonly WordWindow[] {
  const windows: WordWindow[] = [];
  let from = 0;
  while (from < tokens.length && windows.length < MAX_WINDOWS) {
    let to = from + 1;
    let used = tokens[from] ?? 0;
    while (to < tokens.length && to - from < limits.words && used + (tokens[to] ?? 0) <= limits.tokens)
      used += tokens[to++] ?? 0;
    windows.push({ from, to });
    if (to === tokens.length) break;
    from = Math.max(from + 1, to - Math.floor((to - from) * OVERLAP));
  }
  return windows;
}
