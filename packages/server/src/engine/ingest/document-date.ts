/** The date of a document: what its metadata say, else what its head does. */
import type { Metadata } from "../../domain/metadata.ts";
import { dateAt, wordsOf } from "../text/date-patterns.ts";
import { normalizeDate } from "../text/dates.ts";

const HEAD_UNITS = 1_000;
const HEAD_LINES = 8;
const MAX_LINE_UNITS = 200;

/** "Date: …", as a header of mail and front matter have it. */
const dated = /^(?:date|dated|sent|published|posted|updated)$/;
/** "Leeds, 2 May 2016." */
const dateline =
  /^[^,.:]{2,40}, (\d{1,2} \p{Lu}\p{L}{2,8} \d{4}|\p{Lu}\p{L}{2,8} \d{1,2}, \d{4})(?:[.:]| [–—-]|$)/u;
/** Days alone: a year or a month in a title is often what the text is about. */
const day = /\b(?:\d{1,2} \p{Lu}\p{L}{2,8} \d{4}|\p{Lu}\p{L}{2,8} \d{1,2}, \d{4}|\d{4}-\d{2}-\d{2})\b/gu;

/** A year, month or day; null where neither says one. */
export function dateOfDocument(text: string, metadata: Metadata): string | null {
  const given = metadata["date"];
  return (given === undefined ? null : readDate(String(given))) ?? dateOfHead(text);
}

function dateOfHead(text: string): string | null {
  const lines = text
    .slice(0, HEAD_UNITS)
    .split("\n")
    .map((line) => line.replace(/^[\s#>*_|-]{1,20}/, "").trim())
    .filter((line) => line !== "")
    .slice(0, HEAD_LINES)
    .map((line) => line.slice(0, MAX_LINE_UNITS));
  for (const line of lines) {
    const colon = line.indexOf(":");
    const key = line.slice(0, Math.max(0, colon)).replaceAll("*", "").trim().toLowerCase();
    const date = dated.test(key) ? readDate(line.slice(colon + 1).replaceAll("*", "")) : readLine(line);
    if (date !== null) return date;
  }
  const [found, ...more] = (lines[0] ?? "").match(day) ?? [];
  return found === undefined || more.length > 0 ? null : normalizeDate(found);
}

/** Also with a time of day. */
function readDate(written: string): string | null {
  const iso = /^\s{0,9}(\d{4}(?:-\d{2}(?:-\d{2})?)?)(?:[T ]|$)/.exec(written)?.[1];
  return normalizeDate(iso ?? written);
}

/** A line that is a date, or that begins with a place and a date. */
function readLine(line: string): string | null {
  const words = wordsOf(line);
  const isDate = words.length > 0 && dateAt(words, 0).to === words.length;
  return normalizeDate(isDate ? line : (dateline.exec(line)?.[1] ?? ""));
}
