/** Finds records in a text: tables with a header, lines of "key: value", and titles above them. */

import type { TableAround } from "../../../../domain/document.ts";
import type { Span } from "../../../../domain/graph.ts";
import { countWords, type Piece, splitAt, trimmed } from "./pieces.ts";

/** A value with what introduces it, "" for a title. Offsets are into the text. */
export interface RecordField extends Span {
  readonly key: string;
  /** Where the key stands before the value of this field alone. */
  readonly keySpan?: Span;
}

/** Fields that tell of one thing, in the order of the text. */
export type TextRecord = readonly RecordField[];

/** Rows with the same columns, or one record of a block of lines; the span also has what names the fields. */
export interface TextTable extends Span {
  readonly records: readonly TextRecord[];
  /** The keys of all records are the names of the columns. */
  readonly hasColumns: boolean;
  /** Cells of some other rows. */
  readonly others: readonly (readonly string[])[];
}

const MAX_RECORDS = 64;
const MAX_FIELDS = 24;
const MAX_OTHERS = 12;
/** Keys are short; a longer one is a clause before a colon. */
const MAX_KEY_WORDS = 6;
const MAX_KEY_UNITS = 60;

const logPair = /\b([\p{L}_]{2,30})=(?:"([^"\n]{1,80})"|([^\s",;]{1,80}))/gu;
/** What may stand between two pairs on one line. */
const separator = /[.;] | [-–—·/|] /gu;

/**
 * At most 64 records. Linear in the length of the text.
 * @param around of a table that goes beyond the text
 */
export function findTables(text: string, around: TableAround | null = null): readonly TextTable[] {
  const lines = linesOf(text);
  const names = around === null || around.columns === "" ? null : { text: around.columns, start: 0, end: 0 };
  const tables: TextTable[] = [];
  let room = MAX_RECORDS;
  let at = 0;
  while (at < lines.length && room > 0) {
    const isCut = at === 0 && names !== null;
    const table = (isCut ? readRows(names, lines, 0) : null) ?? readTable(lines, at);
    const { records, to } = table ?? readBlock(lines, at);
    const told = records.filter(({ length }) => length > 1).slice(0, room);
    room -= told.length;
    const isWhole = names === null ? to < lines.length : !isCut;
    const others = table === null || isWhole ? [] : cellsOfRows(around?.rows ?? "", told[0]?.length ?? 0);
    const span = { start: lines[at]?.start ?? 0, end: lines[to - 1]?.end ?? 0 };
    const fields = told.map((record) => record.slice(0, MAX_FIELDS));
    if (told.length > 0) tables.push({ ...span, records: fields, hasColumns: table !== null, others });
    at = to;
  }
  return tables;
}

/** Of rows with as many cells. */
function cellsOfRows(rows: string, count: number): readonly (readonly string[])[] {
  const cells = linesOf(rows).map((line) => (isRule(line) ? [] : cellsOf(line).map(({ text }) => text)));
  return cells.filter(({ length }) => length === count).slice(0, MAX_OTHERS);
}

function linesOf(text: string): readonly Piece[] {
  let start = 0;
  return text.split("\n").map((line) => {
    const own = trimmed(line, start);
    start += line.length + 1;
    return own;
  });
}

interface Block {
  readonly records: readonly (readonly RecordField[])[];
  /** Index of the first line behind it. */
  readonly to: number;
}

/** Rows of as many cells as the first one, which names the columns. */
function readTable(lines: readonly Piece[], from: number): Block | null {
  const header = cellsOf(lines[from]);
  const isKey = ({ text }: Piece) => !/:\s|\d{2}/.test(text) && countWords(text) <= MAX_KEY_WORDS;
  if (!isRule(lines[from + 1]) && !header.every(isKey)) return null;
  return readRows(lines[from], lines, from + 1);
}

/** Rows of as many cells as the row that names the columns; null for none. */
function readRows(columns: Piece | undefined, lines: readonly Piece[], from: number): Block | null {
  const header = cellsOf(columns);
  if (header.length < 2) return null;
  const records: (readonly RecordField[])[] = [];
  let to = from;
  for (; to < lines.length; to++) {
    const line = lines[to];
    const cells = cellsOf(line);
    if (isRule(line)) continue;
    if (cells.length !== header.length) break;
    records.push(cells.map(({ start, end }, column) => ({ key: header[column]?.text ?? "", start, end })));
  }
  return records.length === 0 ? null : { records, to };
}

function isRule(line: Piece | undefined): boolean {
  return line !== undefined && /^[\s|:+=-]{3,}$/.test(line.text);
}

function cellsOf(line: Piece | undefined): readonly Piece[] {
  if (line === undefined || !/\||\t/.test(line.text)) return [];
  const cells = splitAt(line, /[|\t]/g);
  const isEdge = ({ text }: Piece, at: number) => text === "" && (at === 0 || at === cells.length - 1);
  return cells.filter((cell, at) => !isEdge(cell, at));
}

/** Lines of pairs in a row, with the title above them; a line of several pairs is a record of its own. */
function readBlock(lines: readonly Piece[], from: number): Block {
  const line = lines[from];
  if (line === undefined || line.text === "") return { records: [], to: from + 1 };
  const inline = readInline(line);
  if (inline.length > 1) return { records: [inline], to: from + 1 };
  const title = inline.length === 0 ? titleOf(line) : null;
  const fields: RecordField[] = title === null ? [...inline] : [title];
  let to = from + 1;
  // A heading may stand apart from what it is the heading of.
  if (title !== null && line.text.startsWith("#") && lines[to]?.text === "") to++;
  for (; to < lines.length; to++) {
    const next = lines[to];
    const [pair, ...more] = next === undefined ? [] : readInline(next);
    if (pair === undefined || more.length > 0) break;
    fields.push(pair);
  }
  return { records: [fields], to };
}

/** A line that is a name and no sentence. */
function titleOf({ text, start, end }: Piece): RecordField | null {
  const marks = /^[#*_=\s]{0,8}/.exec(text)?.[0].length ?? 0;
  const name = text.slice(marks).replace(/[#*_=\s:]{1,8}$/, "");
  if (name === "" || countWords(name) > 8 || /[.!?,;]$/.test(text)) return null;
  return { key: "", start: start + marks, end: Math.min(end, start + marks + name.length) };
}

/** The pairs of a line; the name before the first of several has the key "". */
function readInline(line: Piece): readonly RecordField[] {
  const logged = [...line.text.matchAll(logPair)];
  if (logged.length > 1) {
    return logged.map((match) => {
      const value = match[2] ?? match[3] ?? "";
      const start = line.start + match.index + match[0].lastIndexOf(value);
      return { key: (match[1] ?? "").replaceAll("_", " "), start, end: start + value.length };
    });
  }
  const parts = splitAt(line, separator);
  const pairs = parts.map(readPair);
  const [first] = parts;
  const isSentence = first !== undefined && /^[.;]/.test(line.text.slice(first.end - line.start));
  if (
    pairs[0] == null &&
    first !== undefined &&
    pairs[1] != null &&
    !isSentence &&
    countWords(first.text) <= 8
  ) {
    const title = { key: "", start: first.start, end: first.end };
    return [title, ...pairs.flatMap((pair) => pair ?? [])];
  }
  if (pairs.filter((pair) => pair !== null).length > 1) return pairs.flatMap((pair) => pair ?? []);
  const only = readPair(line);
  return only === null ? [] : [only];
}

function readPair({ text, start, end }: Piece): RecordField | null {
  const colon = text.search(/:[*_]{0,2}\s/);
  if (colon < 1 || colon > MAX_KEY_UNITS) return null;
  const opened = /^(?:[-*•–] )?[*_]{0,2}/.exec(text)?.[0].length ?? 0;
  const key = text
    .slice(opened, colon)
    .replace(/[*_]{1,2}$/, "")
    .trim();
  if (!/^\p{L}/u.test(key) || /["“”!?|=]/.test(key) || countWords(key) > MAX_KEY_WORDS) return null;
  const value = trimmed(text.slice(colon + 1).replace(/^[*_]{1,2}/, ""), 0).text;
  const keyStart = start + text.indexOf(key);
  const keySpan = { start: keyStart, end: keyStart + key.length };
  return value === "" ? null : { key, keySpan, start: start + text.lastIndexOf(value), end };
}
