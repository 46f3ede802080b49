/** JSON and JSONL: lists of equal objects become tables, everything else nested lists of names and values. */
import { UnreadableFile } from "../../domain/unreadable-file.ts";
import type { Markdown } from "./markdown.ts";

/** Deeper values are written as JSON. */
const MAX_DEPTH = 6;
const MAX_COLUMNS = 100;

type Fields = Readonly<Record<string, unknown>>;

/** null = it is not JSON of an object or a list. */
export function parseJson(text: string): Fields | readonly unknown[] | null {
  const value = tryParse(text);
  return isObject(value) || Array.isArray(value) ? value : null;
}

/** Values of the lines; null = a line is not JSON, or there is only one line that is not blank. */
export function parseJsonLines(text: string): readonly unknown[] | null {
  const values: unknown[] = [];
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

export function writeJson(value: Fields | readonly unknown[], markdown: Markdown): void {
  if (!isObject(value)) writeList(value, markdown);
  else {
    for (const [name, inner] of Object.entries(value)) {
      if (Array.isArray(inner) && isTable(inner)) {
        markdown.heading(2, name);
        markdown.table(tableOf(inner));
      } else writeField(name, inner, markdown, 0);
    }
  }
}

function writeList(values: readonly unknown[], markdown: Markdown): void {
  if (isTable(values)) markdown.table(tableOf(values));
  else for (const value of values) writeItem(value, markdown, 0);
}

function writeField(name: string, value: unknown, markdown: Markdown, depth: number): void {
  if (isScalar(value)) markdown.item(depth, `${name}: ${show(value)}`);
  else if (Array.isArray(value) && value.every(isScalar))
    markdown.item(depth, `${name}: ${value.map(show).join(", ")}`);
  else if (depth >= MAX_DEPTH) markdown.item(depth, `${name}: ${JSON.stringify(value)}`);
  else {
    markdown.item(depth, `${name}:`);
    writeInner(value, markdown, depth + 1);
  }
}

function writeItem(value: unknown, markdown: Markdown, depth: number): void {
  if (isScalar(value)) markdown.item(depth, show(value));
  else if (depth >= MAX_DEPTH) markdown.item(depth, JSON.stringify(value));
  else if (!isObject(value)) writeInner(value, markdown, depth);
  else {
    // The first field carries the mark of the item, the others follow below it.
    for (const [index, [name, inner]] of Object.entries(value).entries()) {
      writeField(name, inner, markdown, index === 0 ? depth : depth + 1);
    }
  }
}

function writeInner(value: unknown, markdown: Markdown, depth: number): void {
  if (Array.isArray(value)) for (const each of value) writeItem(each, markdown, depth);
  else if (isObject(value)) {
    for (const [name, inner] of Object.entries(value)) writeField(name, inner, markdown, depth);
  }
}

/** Objects of scalars with the same few names. */
function isTable(values: readonly unknown[]): values is readonly Fields[] {
  const names = new Set<string>();
  for (const value of values) {
    if (!isObject(value) || !Object.values(value).every(isScalar)) return false;
    for (const name of Object.keys(value)) names.add(name);
    if (names.size > MAX_COLUMNS) return false;
  }
  return names.size > 1;
}

function tableOf(values: readonly Fields[]): readonly (readonly string[])[] {
  const names = [...new Set(values.flatMap((value) => Object.keys(value)))];
  return [names, ...values.map((value) => names.map((name) => show(value[name])))];
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isScalar(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

function show(value: unknown): string {
  return value === undefined || value === null ? "" : String(value);
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
