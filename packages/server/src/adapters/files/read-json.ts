/** JSON and JSONL: lists of equal objects become tables, everything else nested lists of names and values. */
import { UnreadableFile } from "../../domain/unreadable-file.ts";
import { type JsonList, type JsonObject, type JsonValue, parseJsonValue } from "./json-value.ts";
import type { Markdown } from "./markdown.ts";

/** Deeper values are written on one line. */
const MAX_DEPTH = 6;
const MAX_COLUMNS = 100;

/** null = it is not JSON of an object or a list. */
export function parseJson(text: string): JsonList | JsonObject | null {
  try {
    const value = parseJsonValue(text);
    return typeof value === "string" ? null : value;
  } catch (error) {
    // What is nested too deeply is JSON, too.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Values of the lines; null = a line is not JSON, or there is only one line that is not blank. */
export function parseJsonLines(text: string): JsonList | null {
  const values: JsonValue[] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const value = parseJson(line);
    if (value === null) return null;
    values.push(value);
  }
  return values.length > 1 ? values : null;
}

/** For a text that is said to be JSON. @throws UnreadableFile that says where it is wrong */
export function requireJson(text: string): never {
  try {
    JSON.parse(text);
  } catch (error) {
    throw new UnreadableFile(
      `The file is not valid JSON: ${error instanceof Error ? error.message : "unknown fault"}.`,
    );
  }
  throw new UnreadableFile("The JSON file holds neither an object nor a list.");
}

export function writeJson(value: JsonList | JsonObject, markdown: Markdown): void {
  if (isList(value)) {
    const rows = rowsOf(value);
    if (rows === null) writeInner(value, markdown, 0);
    else markdown.table(rows);
    return;
  }
  for (const [at, inner] of value.values.entries()) {
    const name = value.names[at] ?? "";
    const rows = rowsOf(inner);
    if (rows === null) writeField({ name, value: inner }, markdown, 0);
    else {
      markdown.heading(2, name);
      markdown.table(rows);
    }
  }
}

interface Field {
  readonly name: string;
  readonly value: JsonValue;
}

function writeField({ name, value }: Field, markdown: Markdown, depth: number): void {
  if (typeof value === "string") markdown.item(depth, `${name}: ${value}`);
  else if (isList(value) && value.every(isScalar)) markdown.item(depth, `${name}: ${value.join(", ")}`);
  else if (depth >= MAX_DEPTH) markdown.item(depth, `${name}: ${onOneLine(value)}`);
  else {
    markdown.item(depth, `${name}:`);
    writeInner(value, markdown, depth + 1);
  }
}

function writeItem(value: JsonValue, markdown: Markdown, depth: number): void {
  if (typeof value === "string") markdown.item(depth, value);
  else if (depth >= MAX_DEPTH) markdown.item(depth, onOneLine(value));
  else if (isList(value)) writeInner(value, markdown, depth);
  else {
    // The first field carries the mark of the item, the others follow below it.
    for (const [at, field] of fieldsOf(value).entries())
      writeField(field, markdown, at === 0 ? depth : depth + 1);
  }
}

function writeInner(value: JsonList | JsonObject, markdown: Markdown, depth: number): void {
  if (isList(value)) for (const each of value) writeItem(each, markdown, depth);
  else for (const field of fieldsOf(value)) writeField(field, markdown, depth);
}

/** Of a list of objects of scalars with the same few names, with the names first; else null. */
function rowsOf(list: JsonValue): readonly (readonly string[])[] | null {
  if (!isList(list)) return null;
  const columns = new Map<string, number>();
  for (const item of list) {
    if (typeof item === "string" || isList(item) || !item.values.every(isScalar)) return null;
    for (const name of item.names) if (!columns.has(name)) columns.set(name, columns.size);
    if (columns.size > MAX_COLUMNS) return null;
  }
  if (columns.size <= 1) return null;
  return [[...columns.keys()], ...list.map((item) => cellsOf(item, columns))];
}

/** A name that occurs twice has both values. */
function cellsOf(item: JsonValue, columns: ReadonlyMap<string, number>): readonly string[] {
  const cells = Array.from(columns, () => "");
  for (const { name, value } of typeof item === "string" || isList(item) ? [] : fieldsOf(item)) {
    const column = columns.get(name) ?? 0;
    if (isScalar(value)) cells[column] = cells[column] ? `${cells[column]}, ${value}` : value;
  }
  return cells;
}

function fieldsOf({ names, values }: JsonObject): readonly Field[] {
  return values.map((value, at) => ({ name: names[at] ?? "", value }));
}

function onOneLine(value: JsonValue): string {
  if (typeof value === "string") return value;
  if (isList(value)) return `[${value.map(onOneLine).join(", ")}]`;
  return `{${fieldsOf(value)
    .map((field) => `${field.name}: ${onOneLine(field.value)}`)
    .join(", ")}}`;
}

function isScalar(value: JsonValue): value is string {
  return typeof value === "string";
}

function isList(value: JsonList | JsonObject | string): value is JsonList {
  return Array.isArray(value);
}
