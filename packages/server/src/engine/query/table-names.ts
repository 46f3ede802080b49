/** Tells whether the first row of a table names its columns. Every table is stored with a rule below its first row, a table of pairs ("Lead", "Ida Vell") as well, so that the rule says nothing. */
import { type Block, hasBlankLine } from "../text/blocks.ts";
import { placedDates } from "./dates-in-text.ts";
import { splitRow } from "./table-rows.ts";

/** Two columns can always be pairs. */
const LEAST_COLUMNS = 3;
const MAX_NAME_UNITS = 60;
const MAX_DATE_UNITS = 40;
const YEAR = /^(?:1[5-9]|20|21)\d\d$/;
const NOTHING = /^(?:[-–—]|n\/?a)?$/i;
const AMOUNT =
  /^(?:[$€£¥]\s?|\p{Lu}{3}\s)?[-+−]?\d[\d.,:/'’\s-]{0,30}(?:(?!(?:st|nd|rd|th)\b)[\p{L}%°$€£¥²³]{1,12}(?:\s\p{L}{1,12})?)?$/u;

/**
 * The names of the columns for each row of a chunk's tables that has some above it: those of a table's first row, where the only rule of the table is below it, or those
 * of the header (`cutTable`) where the chunk begins in the middle of a table.
 */
export function namesOfTables(
  text: string,
  all: readonly Block[],
  cutTable: string,
): ReadonlyMap<Block, readonly string[]> {
  const found = new Map<Block, readonly string[]>();
  for (let from = 0; from < all.length; ) {
    const to = endOfTable(text, all, from);
    const [first, second, ...others] = all.slice(from, to);
    const isCut = from === 0 && cutTable !== "" && second?.kind !== "rule";
    const rows = isCut ? all.slice(from, to) : others;
    from = Math.max(to, from + 1);
    if (
      first?.kind !== "row" ||
      (!isCut && second?.kind !== "rule") ||
      rows.some(({ kind }) => kind !== "row")
    )
      continue;
    const written = rows.map(({ start, end }) => text.slice(start, end));
    const header = isCut ? cutTable : text.slice(first.start, first.end);
    // That of a cut table may be cut, too.
    if (isCut && splitRow(header).length !== splitRow(written[0] ?? "").length) continue;
    const names = namesOfColumns(header, written);
    if (names !== null) for (const row of rows) found.set(row, names);
  }
  return found;
}

/** Index of the first block behind the rows and rules that stand without a blank line between them. */
function endOfTable(text: string, all: readonly Block[], from: number): number {
  let to = from;
  for (let block = all[to]; block?.kind === "row" || block?.kind === "rule"; block = all[++to]) {
    if (to > from && hasBlankLine(text, all[to - 1]?.end ?? 0, block.start)) break;
  }
  return to;
}

type Kind = "date" | "amount" | "words";

/**
 * The names of the columns by their places, empty for a first column without one; null where the first row may be anything else. `rows`: those below it, as far as they
 * are known. It names three or more columns if the names differ, none is an amount, a date above dates or words, or stands in its own column again, and
 * - a column has amounts or dates alone, or
 * - there are two rows or more, and no column has both words and amounts.
 *
 * Linear in the length of the rows.
 */
function namesOfColumns(first: string, rows: readonly string[]): readonly string[] | null {
  const names = splitRow(first).map(nameOf);
  if (names.length < LEAST_COLUMNS || !areNames(names)) return null;
  const table = rows.map((row) => splitRow(row).map((cell) => (NOTHING.test(cell) ? "" : cell)));
  const columns = names.map((name, at) => {
    const values = table.map((cells) => cells[at] ?? "").filter((value) => value !== "");
    return readColumn(name, values);
  });
  const isNamed = columns.every(
    ({ isBelow, count }, at) => isBelow && (at === 0 || names[at] !== "" || count === 0),
  );
  if (!isNamed) return null;
  const hasAmounts = columns.some(({ isAmounts, count }) => isAmounts && count * 2 >= rows.length);
  const isSorted = rows.length > 1 && !columns.some(({ isMixed }) => isMixed);
  // "Lead", "Ida Vell", "Town", "Cork": pairs beside pairs, in which hardly anything recurs below itself.
  const mayBePairs = names.length % 2 === 0 && columns.every(({ isWords }, at) => at % 2 === 1 || isWords);
  const isSure = !mayBePairs || columns.some(({ recurs }) => recurs);
  return isSure && (hasAmounts || isSorted) ? names : null;
}

function nameOf(cell: string): string {
  const name = cell.replace(/^(?:\*\*|__)|(?:\*\*|__)$/g, "").replace(/[:：]$/, "");
  return NOTHING.test(name) ? "" : name;
}

/** Whether they differ and are short, no amounts, and more than a title in the first cells. */
function areNames(names: readonly string[]): boolean {
  const filled = names.filter((name) => name !== "");
  const isUnlike = (name: string) => name.length > MAX_NAME_UNITS || kindOf(name) === "amount";
  return (
    filled.length >= 2 &&
    filled.length * 2 >= names.length &&
    new Set(filled.map((name) => name.toLowerCase())).size === filled.length &&
    !filled.some(isUnlike)
  );
}

function readColumn(name: string, values: readonly string[]) {
  const kinds = new Set(values.map(kindOf));
  const hasWords = kinds.has("words");
  const isAgain = values.some((value) => value.toLowerCase() === name.toLowerCase());
  const isOfDates = kindOf(name) === "date" && (hasWords || (values.length > 0 && !kinds.has("amount")));
  return {
    count: values.length,
    isBelow: !isAgain && !isOfDates,
    isAmounts: values.length > 0 && !hasWords,
    isWords: hasWords && kinds.size === 1,
    isMixed: hasWords && kinds.size > 1,
    recurs: new Set(values).size < values.length,
  };
}

function kindOf(cell: string): Kind {
  if (cell.length > MAX_DATE_UNITS || !/\d/.test(cell)) return "words";
  if (YEAR.test(cell) || placedDates(cell)[0]?.text === cell) return "date";
  return AMOUNT.test(cell) ? "amount" : "words";
}
