/** Finds the months and days that a question names in words where a text has them in numbers: "August 2024" in "2024-08-10". */
import { normalizeDate } from "../text/dates.ts";
import type { TermFinder } from "../text/term-finder.ts";
import { queryTerms } from "../text/terms.ts";
import { placedDates } from "./dates-in-text.ts";

/** Longer questions are texts. */
const MAX_QUESTION_UNITS = 1_000;
const MONTHS = 12;
const YEAR_FIRST = /(?<!\d)(\d{4})[-./](\d{1,2})(?:[-./](\d{1,2}))?(?!\d)/g;
const YEAR_LAST = /(?<!\d)(\d{1,2})[-./](\d{1,2})[-./](\d{4}|\d{2})(?!\d)/g;

interface AskedDate {
  /** "2024-08", "2024-08-10" */
  readonly date: string;
  readonly words: string;
  readonly terms: readonly string[];
}

export interface AskedDates {
  /** The words of the question's dates that a text has in numbers. */
  readonly find: TermFinder;
  /** Whether a text has dates in numbers, and none of them is asked for, in numbers or in words. */
  readonly isOther: (text: string) => boolean;
}

/** null where the question names no month. "3/4/2019" is in March and in April, unless all other dates of the texts tell which comes first. */
export function readAskedDates(question: string, texts: readonly string[]): AskedDates | null {
  if (question.length > MAX_QUESTION_UNITS) return null;
  const asked = placedDates(question).flatMap(({ text }): AskedDate[] => {
    const date = normalizeDate(text);
    return date === null || !date.includes("-") ? [] : [{ date, words: text, terms: queryTerms(text) }];
  });
  if (asked.length === 0) return null;
  const order = orderIn(texts);
  return {
    find(text) {
      const dates = datesIn(text, order);
      const held = asked.filter(({ date }) => dates.some((each) => each.startsWith(date)));
      return new Set(held.flatMap(({ terms }) => terms));
    },
    isOther(text) {
      const dates = datesIn(text, order);
      if (dates.length === 0) return false;
      return !asked.some(
        ({ date, words }) => text.includes(words) || dates.some((each) => each.startsWith(date)),
      );
    },
  };
}

interface Order {
  readonly dayFirst: boolean;
  readonly monthFirst: boolean;
}

/** Both where nothing tells, or texts differ. */
function orderIn(texts: readonly string[]): Order {
  const dates = texts.flatMap((text) => Array.from(text.matchAll(YEAR_LAST)));
  const dayFirst = dates.some(([, first]) => Number(first) > MONTHS);
  const monthFirst = dates.some(([, , second]) => Number(second) > MONTHS);
  return dayFirst === monthFirst ? { dayFirst: true, monthFirst: true } : { dayFirst, monthFirst };
}

function datesIn(text: string, { dayFirst, monthFirst }: Order): readonly string[] {
  const yearFirst = Array.from(text.matchAll(YEAR_FIRST), ([, year = "", month = "", day = ""]) =>
    dateOf(year, month, day),
  );
  const yearLast = Array.from(text.matchAll(YEAR_LAST)).flatMap(([, one = "", other = "", end = ""]) => {
    const years = end.length === 2 ? [`19${end}`, `20${end}`] : [end];
    return years.flatMap((year) => [
      ...(monthFirst ? [dateOf(year, one, other)] : []),
      ...(dayFirst ? [dateOf(year, other, one)] : []),
    ]);
  });
  return [...yearFirst, ...yearLast];
}

function dateOf(year: string, month: string, day: string): string {
  return [year, month, day].map((part) => part.padStart(2, "0")).join("-");
}
