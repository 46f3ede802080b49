/** Numbers of spreadsheets as a person reads them: dates as dates, percentages as percentages. */
import { childElements, decodeXml, findChild, readXml, type XmlElement } from "../xml.ts";

/** The number format of each cell style, and whether its text is struck out. */
export type CellFormats = readonly CellFormat[];

export interface CellFormat {
  readonly code: string;
  readonly isStruck: boolean;
}

/** Formats that files name by number only. */
const BUILT_IN: Readonly<Record<number, string>> = {
  9: "0%",
  10: "0.00%",
  14: "yyyy-mm-dd",
  15: "d-mmm-yy",
  16: "d-mmm",
  17: "mmm-yy",
  18: "h:mm",
  19: "h:mm:ss",
  20: "h:mm",
  21: "h:mm:ss",
  22: "yyyy-mm-dd h:mm",
  45: "mm:ss",
  46: "[h]:mm:ss",
  47: "mm:ss",
};
const SECONDS_OF_DAY = 86_400;
/** Day 0 of both calendars, in days since 1970. The first one counts a 29th of February 1900 that never was. */
const DAY_0 = { from1900: -25_569, from1904: -24_107 };
/** The wrong leap day. */
const LEAP_DAY = 60;
const LAST_DAY = 2_958_466;

/** @param bytes the part of the styles; null = the file has none */
export function readCellFormats(bytes: Uint8Array | null): CellFormats {
  if (bytes === null) return [];
  const styles = readXml(decodeXml(bytes));
  const own = new Map(
    childElements(findChild(styles, "numFmts") ?? styles, "numFmt").map(({ attributes }) => [
      Number(attributes["numFmtId"]),
      attributes["formatCode"] ?? "",
    ]),
  );
  const fonts = childElements(findChild(styles, "fonts") ?? styles, "font");
  return childElements(findChild(styles, "cellXfs") ?? styles, "xf").map(({ attributes }) => {
    const id = Number(attributes["numFmtId"] ?? 0);
    const font = fonts[Number(attributes["fontId"] ?? 0)];
    return { code: own.get(id) ?? BUILT_IN[id] ?? "", isStruck: isStruckOut(font) };
  });
}

/** @param properties of a run, or a font */
export function isStruckOut(properties: XmlElement | undefined): boolean {
  const strike = findChild(properties, "strike");
  return strike !== undefined && !/^(?:0|false)$/.test(strike.attributes["val"] ?? "");
}

/** @param value as the file has it. Without a known format it stays, but for digits that only binary fractions cause. */
export function formatNumber(value: string, format: string, countsFrom1904: boolean): string {
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  const pattern = withoutLiterals(format);
  if (/[hs]|\[m/i.test(pattern)) return formatTime(number, pattern, countsFrom1904);
  if (/[ymd]/i.test(pattern)) return formatDate(number, countsFrom1904);
  if (pattern.includes("%")) return `${Number((rounded(number) * 100).toPrecision(12))}%`;
  if (/^-?\d{1,400}$/.test(value)) return padded(value, pattern);
  // Digits of a whole number are never rounded.
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? value : String(rounded(number));
}

function rounded(number: number): number {
  return Number(number.toPrecision(15));
}

/** `00000` shows postcodes and the like with their zeros. */
function padded(value: string, pattern: string): string {
  const [whole = ""] = pattern.split(".", 1);
  const digits = /^[0#,\-/ ()]{1,99}$/.test(whole) ? whole.replace(/[^0]/g, "").length : 0;
  return value.startsWith("-") ? `-${value.slice(1).padStart(digits, "0")}` : value.padStart(digits, "0");
}

/** Texts in quotes, colours and currencies in brackets, widths and escaped characters are no part of the pattern. */
function withoutLiterals(format: string): string {
  const [first = ""] = format.split(";");
  return first.replace(/"[^"]{0,99}"|[\\_*]./g, "").replace(/\[(?:\$|[A-Za-z]{3})[^\]]{0,99}\]/g, "");
}

function formatDate(number: number, countsFrom1904: boolean): string {
  return dateAndTime(number, countsFrom1904)?.date ?? String(number);
}

function formatTime(number: number, pattern: string, countsFrom1904: boolean): string {
  if (/\[[hms]/i.test(pattern)) return formatDuration(number, pattern);
  const found = dateAndTime(number, countsFrom1904);
  if (found === null) return String(number);
  if (/[yd]/i.test(pattern)) return `${found.date} ${found.time}`;
  return number < 1 ? found.time : String(number);
}

/** Hours beyond a day go on counting: 1.5 days are 36:00. */
function formatDuration(days: number, pattern: string): string {
  const seconds = Math.round(Math.abs(days) * SECONDS_OF_DAY);
  const [hours, minutes, rest] = [seconds / 3_600, (seconds / 60) % 60, seconds % 60].map(Math.floor);
  const parts = /s/i.test(pattern) || rest !== 0 ? [hours, minutes, rest] : [hours, minutes];
  const [first = "", ...others] = parts.map(String);
  return [days < 0 ? `-${first}` : first, ...others.map((part) => part.padStart(2, "0"))].join(":");
}

/** null = no day of the calendar. */
function dateAndTime(number: number, countsFrom1904: boolean): { date: string; time: string } | null {
  const start = countsFrom1904 ? DAY_0.from1904 : DAY_0.from1900;
  if (number < 0 || number >= LAST_DAY) return null;
  const isBeforeLeapDay = !countsFrom1904 && number > 0 && number < LEAP_DAY;
  const day = isBeforeLeapDay ? number + 1 : number;
  // Seconds, because milliseconds are errors of the binary fraction.
  const iso = new Date(Math.round((day + start) * SECONDS_OF_DAY) * 1_000).toISOString();
  const isLeapDay = !countsFrom1904 && Math.floor(number) === LEAP_DAY;
  return { date: isLeapDay ? "1900-02-29" : iso.slice(0, 10), time: iso.slice(11, 19) };
}
