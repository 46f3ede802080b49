/** Dates with their places in a text. */
import { dateAt, wordsOf } from "../text/date-patterns.ts";

export interface PlacedDate {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const isoMonth = /^[12]\d(\d{2})-(\d{2})$/;

export function placedDates(text: string): readonly PlacedDate[] {
  let from = 0;
  const words = wordsOf(text).map((word) => {
    const start = text.indexOf(word.text, from);
    from = start + word.text.length;
    return { ...word, start, end: from };
  });
  const dates: PlacedDate[] = [];
  for (let at = 0; at < words.length; at++) {
    const to = isMonth(words[at]?.text ?? "") ? at + 1 : dateAt(words, at).to;
    const [first, last] = [words[at], words[to - 1]];
    if (to === at || first === undefined || last === undefined) continue;
    dates.push({ text: text.slice(first.start, last.end), start: first.start, end: last.end });
    at = to - 1;
  }
  return dates;
}

/** "2019-05"; "2004-05" may be two years. */
export function isMonth(text: string): boolean {
  const [, year, part] = isoMonth.exec(text) ?? [];
  return part !== undefined && Number(part) !== Number(year) + 1;
}
