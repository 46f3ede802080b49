/** What each sentence of a summary rests on. */

export interface CitedPart {
  readonly text: string;
  /** Places in the list of chunks, from 0; none where no chunk says it in these words. */
  readonly chunks: readonly number[];
}

const numbers = /\s*((?:\[\d+(?:\s*,\s*\d+)*\]\s*)+)/g;

/**
 * The summary in parts, each followed by its citations. Numbers in brackets, `[1]` or `[1, 3]`, are a model's own; a summary
 * without any is sentences of the chunks, and each is looked for in them. Numbers that no chunk has stay in the text.
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
  for (const match of summary.matchAll(numbers)) {
    const places = (match[0].match(/\d+/g) ?? []).map((digits) => Number(digits) - 1);
    if (places.some((place) => place < 0 || place >= count)) continue;
    parts.push({ text: summary.slice(from, match.index), chunks: [...new Set(places)] });
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

/** A summary may break its lines elsewhere than the chunk. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
