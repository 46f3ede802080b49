/** Cuts a passage to the sentences that matter, and into parts that are drawn differently. */
import { type Range, sliceWithout } from "../../../components/heading-marks.ts";
import { markWords } from "./question-words.ts";

export interface PassagePart {
  readonly text: string;
  /** cited: a sentence that the answer quotes. chosen: the one that the user has just opened. */
  readonly kind: "plain" | "cited" | "chosen";
  /** A word of the question. */
  readonly isWord: boolean;
}

/** A passage of up to so many characters is shown whole. */
const maxShortCharacters = 420;
const beforeCharacters = 120;
const excerptCharacters = 360;
const maxExcerptCharacters = 900;

/**
 * What is shown of a passage before it is opened: of a long one the first range that matters, with some text around it; never the line
 * that only repeats the title.
 */
export function excerptOf(text: string, ranges: readonly Range[], title: string): Range {
  const begin = text.startsWith(`${title}\n`) ? text.length - text.slice(title.length).trimStart().length : 0;
  if (text.length - begin <= maxShortCharacters) return { start: begin, end: text.length };
  const first = ranges.reduce((least, { start }) => Math.min(least, start), text.length);
  const from = first === text.length ? begin : Math.max(begin, first - beforeCharacters);
  const start = from === begin ? begin : wordStart(text, from);
  // The other sentences that matter are shown whole, too, where they are near.
  const covered = ranges.map((range) => range.end).filter((end) => end - start <= maxExcerptCharacters);
  const firstEnd = ranges.find((range) => range.start === first)?.end ?? 0;
  const end = Math.min(text.length, Math.max(start + excerptCharacters, firstEnd, ...covered));
  return { start, end: end === text.length ? end : wordStart(text, end) };
}

/** The place after the blank that follows, if one is near. */
function wordStart(text: string, at: number): number {
  const blank = text.indexOf(" ", at);
  return blank < 0 || blank > at + 24 ? at : blank + 1;
}

export function passageParts(
  text: string,
  shown: Range,
  marks: {
    readonly cited: readonly Range[];
    readonly chosen: Range | null;
    readonly words: readonly string[];
    /** What of the text is not shown. */
    readonly left: readonly Range[];
  },
): readonly PassagePart[] {
  const edges = new Set([shown.start, shown.end]);
  for (const { start, end } of marks.cited) {
    for (const edge of [start, end]) if (edge > shown.start && edge < shown.end) edges.add(edge);
  }
  const sorted = [...edges].sort((a, b) => a - b);
  return sorted.slice(1).flatMap((end, at) => {
    const start = sorted[at] ?? shown.start;
    const isIn = (range: Range) => range.start <= start && range.end >= end;
    const kind =
      marks.chosen !== null && isIn(marks.chosen) ? "chosen" : marks.cited.some(isIn) ? "cited" : "plain";
    return markWords(sliceWithout(text, { start, end }, marks.left), marks.words).map(
      ({ text: part, isMarked }) => ({
        text: part,
        kind,
        isWord: isMarked,
      }),
    ) satisfies PassagePart[];
  });
}
