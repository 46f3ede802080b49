/** Brings dates as texts write them into one form, as exact as they are: "1987", "1987-05", "1987-05-12". */

import { GB } from "chrono-node/en";

/** Nothing is read relative to it. */
const REFERENCE = new Date(Date.UTC(2000, 0, 1, 12));
const MAX_LENGTH = 60;
/** "1987-05-12" */
const DAY_UNITS = 10;
const YEAR = /^(?:in |about |around |circa |c\. ?)?([12]\d{3})(?: ?(?:ad|ce))?$/i;
const ISO = /^([12]\d{3})-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?$/;
/** "3/4/2019" is another day on each side of the Atlantic. */
const AMBIGUOUS = /^(\d{1,2})[./-](\d{1,2})[./-]\d{2,4}$/;

/**
 * null for what names no year, a stretch of years ("the 1990s") or a day that could be two. A day or month without a year is of
 * the year in which it is nearest to `near`, where that is a day.
 */
export function normalizeDate(written: string, near: string | null = null): string | null {
  const text = written
    .trim()
    .replace(/\s+/g, " ")
    .replace(/[,.;]$/, "");
  if (text.length > MAX_LENGTH || !(near === null ? /\d/ : /[\d\p{Lu}]/u).test(text)) return null;
  const year = YEAR.exec(text)?.[1];
  if (year !== undefined) return year;
  if (/^\d{4}-\d{2}(?:-\d{2})?$/.test(text)) return ISO.test(text) && isInCalendar(text) ? text : null;
  const ambiguous = AMBIGUOUS.exec(text);
  if (ambiguous !== null && Number(ambiguous[1]) <= 12 && Number(ambiguous[2]) <= 12) return null;
  const day = near?.length === DAY_UNITS ? new Date(`${near}T12:00:00Z`) : REFERENCE;
  const isNear = day !== REFERENCE && !Number.isNaN(day.getTime());
  const [found, ...more] = GB.parse(text, isNear ? day : REFERENCE);
  if (found === undefined || more.length > 0 || found.end) return null;
  const { start } = found;
  const stated = String(start.get("year"));
  // A year of two digits is a guess, and so is one before the common era.
  const isStated = start.isCertain("year") ? text.includes(stated) : isNear && start.isCertain("month");
  if (!isStated || !/^[12]\d{3}$/.test(stated)) return null;
  const parts = [stated];
  if (start.isCertain("month")) parts.push(pad(start.get("month")));
  if (start.isCertain("month") && start.isCertain("day")) parts.push(pad(start.get("day")));
  const date = parts.join("-");
  return isInCalendar(date) ? date : null;
}

/** The 31st of February is none. */
function isInCalendar(date: string): boolean {
  const [year, month = 1, day = 1] = date.split("-").map(Number);
  return new Date(Date.UTC(year ?? 0, month - 1, day)).getUTCDate() === day;
}

function pad(value: number | null): string {
  return String(value ?? 0).padStart(2, "0");
}
