/** Numbers of spreadsheets as a person reads them: dates as dates, percentages as percentages. */
import { childElements, decodeXml, findChild, readXml } from "../xml.ts";
import type { Zip } from "../zip.ts";

/** The number format of each cell style. */
export type CellFormats = readonly string[];

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
const DAY_MS = 86_400_000;
/** Day 0 of both calendars, in days since 1970. The first one counts a 29th of February 1900 that never was. */
const DAY_0 = { from1900: -25_569, from1904: -24_107 };
/** The first day after the wrong leap day. */
const AFTER_LEAP_DAY = 61;
const LAST_DAY = 2_958_466;

export async function readCellFormats(zip: Zip): Promise<CellFormats> {
  const bytes = await zip.find("xl/styles.xml");
  if (bytes === null) return [];
  const styles = readXml(decodeXml(bytes));
  const own = new Map(
    childElements(findChild(styles, "numFmts") ?? styles, "numFmt").map(({ attributes }) => [
      Number(attributes["numFmtId"]),
      attributes["formatCode"] ?? "",
    ]),
  );
  return childElements(findChild(styles, "cellXfs") ?? styles, "xf").map(({ attributes }) => {
    const id = Number(attributes["numFmtId"] ?? 0);
    return own.get(id) ?? BUILT_IN[id] ?? "";
  });
}

/** @param value as the file has it. Without a known format it stays, but for digits that only binary fractions cause. */
export function formatNumber(value: string, format: string, countsFrom1904: boolean): string {
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  const pattern = withoutLiterals(format);
  if (/[yd]/i.test(pattern) || /h|s/i.test(pattern)) return formatDate(number, pattern, countsFrom1904);
  const rounded = Number(number.toPrecision(15));
  return pattern.includes("%") ? `${Number((rounded * 100).toPrecision(12))}%` : String(rounded);
}

/** Texts in quotes, colours and currencies in brackets, and escaped characters are no part of the pattern. */
function withoutLiterals(format: string): string {
  const [first = ""] = format.split(";");
  return first.replace(/"[^"]{0,99}"|\\./g, "").replace(/\[(?:\$|[A-Za-z]{3})[^\]]{0,99}\]/g, "");
}

function formatDate(number: number, pattern: string, countsFrom1904: boolean): string {
  const start = countsFrom1904 ? DAY_0.from1904 : DAY_0.from1900;
  if (number < 0 || number >= LAST_DAY) return String(number);
  const day = !countsFrom1904 && number > 0 && number < AFTER_LEAP_DAY - 1 ? number + 1 : number;
  // Seconds, because milliseconds are errors of the binary fraction.
  const iso = new Date(Math.round((day + start) * (DAY_MS / 1_000)) * 1_000).toISOString();
  const time = iso.slice(11, 19);
  if (!/[yd]/i.test(pattern)) return number < 1 ? time : String(number);
  return /h/i.test(pattern) ? `${iso.slice(0, 10)} ${time}` : iso.slice(0, 10);
}
