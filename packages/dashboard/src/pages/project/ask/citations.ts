/** Finds the passages that support each sentence of a summary. */

export interface CitedPart {
  readonly text: string;
  /** Positions in the list of chunks, from 0. Empty when no chunk contains the text literally. */
  readonly chunks: readonly number[];
}

const citation = /(?:\[\d+(?:\s*,\s*\d+)*\]\s*)+/g;

/**
 * Splits a summary into parts with their citations. A language model writes citations as numbers in brackets, `[1]` or
 * `[1, 3]`. A summary without them consists of sentences of the chunks, and each sentence is searched in the chunks. Numbers
 * that refer to no chunk stay in the text.
 */
export function citedParts(
  summary: string,
  chunks: readonly { readonly text: string }[],
): readonly CitedPart[] {
  const parts = numberedParts(summary, chunks.length);
  if (parts.some((part) => part.chunks.length > 0)) return parts;
  const texts = chunks.map(({ text }) => oneLine(text));
  return sentencesOf(summary).map((text) => {
    const at = texts.findIndex((chunk) => oneLine(text) !== "" && chunk.includes(oneLine(text)));
    return { text, chunks: at < 0 ? [] : [at] };
  });
}

function numberedParts(summary: string, count: number): readonly CitedPart[] {
  const parts: CitedPart[] = [];
  let from = 0;
  for (const match of summary.matchAll(citation)) {
    const places = (match[0].match(/\d+/g) ?? []).map((digits) => Number(digits) - 1);
    if (places.some((place) => place < 0 || place >= count)) continue;
    parts.push({ text: summary.slice(from, match.index).trimEnd(), chunks: [...new Set(places)] });
    from = match.index + match[0].trimEnd().length;
  }
  if (from < summary.length) parts.push({ text: summary.slice(from), chunks: [] });
  return parts;
}

function sentencesOf(text: string): readonly string[] {
  return Array.from(
    new Intl.Segmenter("en", { granularity: "sentence" }).segment(text),
    ({ segment }) => segment,
  );
}

/** Summary and chunk may have their line breaks at different places. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
