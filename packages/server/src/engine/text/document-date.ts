/** The date of a document: what its metadata say, else a line of its head that says nothing else, else its name. */
import type { Metadata } from "../../domain/metadata.ts";
import { dateAt, wordsOf } from "./date-patterns.ts";
import { normalizeDate } from "./dates.ts";

const HEAD_UNITS = 1_000;
const HEAD_LINES = 8;
const MAX_LINE_UNITS = 200;
const DAY_UNITS = 10;

/** "Date: …", as a header of mail and front matter have it, and "Dated …". */
const dated = /^dated?(?:\*{0,2}:|\s)[\s*]{0,9}/i;
const field = /^[\p{L}-]{1,30}:/u;
const weekday = /^(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,? /i;
/** "T10:30:00Z", ", 4.05 pm", " at 16:05:00 +0100 (CET)" */
const timeOfDay =
  /(?:T|,? (?:at )?)\d{1,2}[:.]\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?: ?[ap]\.?m\.?)?(?: ?(?:[A-Z]{1,4}|[+-]\d{2}:?\d{2}))?(?: \([A-Z]{1,5}\))?$/i;
const compact = /^([12]\d{3})(\d{2})(\d{2})$/;

/** "minutes/2014-11-18-board.docx", "2014-11 suppliers.csv", "20141118_board.pdf" */
const dateOfName = /^(?:[12]\d{3}-\d{2}(?:-\d{2})?|[12]\d{7})(?=[-_ .]|$)/;

/** A year, month or day; null where nothing says one. `sourceDocId` is often the path of a file. */
export function dateOfDocument(
  text: string,
  { metadata = {}, sourceDocId = "" }: { readonly metadata?: Metadata; readonly sourceDocId?: string },
): string | null {
  const given = metadata["date"];
  const named = () =>
    readDate(dateOfName.exec(sourceDocId.slice(sourceDocId.lastIndexOf("/") + 1))?.[0] ?? "");
  return (given === undefined ? null : readDate(String(given))) ?? dateOfHead(text) ?? named();
}

/** What a line names as the date; else the one day that stands alone. */
function dateOfHead(text: string): string | null {
  const alone = new Set<string>();
  for (const line of linesOfHead(text)) {
    const label = dated.exec(line)?.[0];
    const date = readDate(line.slice(label?.length ?? 0));
    if (date !== null && label !== undefined) return date;
    // A year or a month alone is often what the text is about.
    if (date?.length === DAY_UNITS) alone.add(date);
  }
  const [only = null, ...more] = alone;
  return more.length === 0 ? only : null;
}

/** Down to the first sentence. */
function linesOfHead(text: string): readonly string[] {
  const lines = text
    .slice(0, HEAD_UNITS)
    .split("\n")
    .map((line) => line.trim().replace(/^#{1,6} {1,9}/, ""))
    .filter((line) => line !== "")
    .slice(0, HEAD_LINES)
    .map((line) => line.slice(0, MAX_LINE_UNITS).replace(/^[*_]{1,3}(?=\S)/, ""));
  const sentence = lines.findIndex(
    (line) => /[.!?]$/.test(line) && !field.test(line) && readDate(line) === null,
  );
  return sentence < 0 ? lines : lines.slice(0, sentence);
}

/** What is a date, perhaps with a time of day, and nothing else. */
function readDate(written: string): string | null {
  const bare = written
    .trim()
    .replace(/[*_]{1,3}$/, "")
    .replace(/\.$/, "")
    .replace(compact, "$1-$2-$3");
  const date = bare.replace(timeOfDay, "").replace(weekday, "");
  const words = wordsOf(date);
  const isMonth = /^\d{4}-\d{2}$/.test(date);
  const isDate = isMonth || (words.length > 0 && dateAt(words, 0).to === words.length);
  return isDate ? normalizeDate(date) : null;
}
