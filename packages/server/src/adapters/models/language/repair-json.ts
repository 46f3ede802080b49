/**
 * Reads JSON with the faults of grammar that models make: names and texts without quotes or in other quotes, quotes within a text,
 * commas too few or too many, Python's words, comments. One pass over the text, because whoever has a model write can choose it.
 */

const MAX_DEPTH = 64;
/** The quotes that open a text, each with those that end it. */
const ENDS_OF_QUOTE = new Map([
  ['"', '"'],
  ["'", "'"],
  ["`", "`´'"],
  ["´", "´`'"],
  ["“", "”“"],
  ["”", "”"],
  ["‘", "’‘"],
  ["’", "’"],
]);
const ESCAPES = new Map([
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);
const WORDS = new Map<string, boolean | null>([
  ["true", true],
  ["True", true],
  ["false", false],
  ["False", false],
  ["null", null],
  ["None", null],
  ["undefined", null],
  ["NaN", null],
]);
/** Others, as 007, are texts. */
const NUMBER = /^-?(?:0|[1-9]\d{0,20})(?:\.\d{1,20})?(?:[eE][+-]?\d{1,3})?$/;
/** What ends a word without quotes. */
const AFTER_WORD = ",[]{}\n";
/** What may follow the end of a quoted text on its line; so may the end of all. */
const AFTER_TEXT = ",:]}\r\n";

/** An item that stands for others. */
const LEFT_OUT = "...";

class UnreadableError extends Error {}

/** The object or array that the text means; null when that is not clear. Never throws. */
export function repairJson(text: string): object | null {
  try {
    const value = readAll({ text, at: 0 });
    return typeof value === "object" ? value : null;
  } catch (error) {
    if (error instanceof UnreadableError) return null;
    throw error;
  }
}

/** A text and how far it has been read. */
interface Cursor {
  readonly text: string;
  at: number;
}

function readAll(cursor: Cursor): unknown {
  const value = readValue(cursor, 1);
  skip(cursor, "]}");
  if (cursor.at < cursor.text.length) throw new UnreadableError();
  return value;
}

function readValue(cursor: Cursor, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new UnreadableError();
  skip(cursor);
  const character = here(cursor);
  if (character === "{") return readObject(cursor, depth);
  if (character === "[") return readArray(cursor, depth);
  if (ENDS_OF_QUOTE.has(character)) return readText(cursor);
  const word = readWord(cursor, AFTER_WORD);
  // A quote behind it says that it is a text.
  return cursor.text[cursor.at - 1] === '"' ? word : meaningOf(word);
}

function readObject(cursor: Cursor, depth: number): object {
  const members: [string, unknown][] = [];
  cursor.at++;
  for (;;) {
    skip(cursor, ",");
    if (endsHere(cursor, "}")) return Object.fromEntries(members);
    const key = readKey(cursor);
    if (key !== LEFT_OUT) members.push([key, readMember(cursor, depth)]);
  }
}

function readKey(cursor: Cursor): string {
  const character = here(cursor);
  if (character === "{" || character === "[") throw new UnreadableError();
  return ENDS_OF_QUOTE.has(character) ? readText(cursor) : readWord(cursor, `${AFTER_WORD}:`);
}

function readMember(cursor: Cursor, depth: number): unknown {
  skip(cursor);
  const hasColon = here(cursor) === ":";
  if (hasColon) cursor.at++;
  skip(cursor);
  const isMissing = ",}]".includes(here(cursor));
  if (isMissing && !hasColon) throw new UnreadableError();
  return isMissing ? null : readValue(cursor, depth + 1);
}

function readArray(cursor: Cursor, depth: number): unknown[] {
  const items: unknown[] = [];
  cursor.at++;
  for (;;) {
    skip(cursor, ",");
    if (endsHere(cursor, "]")) return items;
    const item = readValue(cursor, depth + 1);
    if (item !== LEFT_OUT) items.push(item);
  }
}

/** Whether the items of a bracket end here. A bracket that closes another one is left to that. */
function endsHere(cursor: Cursor, closing: string): boolean {
  const character = here(cursor);
  if (character === closing) cursor.at++;
  return character === "" || character === "}" || character === "]";
}

/** @throws UnreadableError where no word stands */
function readWord(cursor: Cursor, ends: string): string {
  const { text, at: from } = cursor;
  while (cursor.at < text.length && !ends.includes(here(cursor)) && here(cursor) !== '"') cursor.at++;
  const word = text.slice(from, cursor.at).trim();
  // The quote that should have stood before the word, too.
  if (here(cursor) === '"') cursor.at++;
  if (word === "" || word.startsWith(":")) throw new UnreadableError();
  return word;
}

function meaningOf(word: string): unknown {
  if (WORDS.has(word)) return WORDS.get(word);
  return NUMBER.test(word) ? Number(word) : word;
}

/** @throws UnreadableError where nothing ends it */
function readText(cursor: Cursor): string {
  const { text } = cursor;
  const ends = ENDS_OF_QUOTE.get(here(cursor)) ?? "";
  let [read, from] = ["", ++cursor.at];
  /** After which only white space stands. */
  let comma = -1;
  for (; cursor.at < text.length; cursor.at++) {
    const character = here(cursor);
    if (character === "\\") {
      read += text.slice(from, cursor.at) + readEscape(cursor);
      from = cursor.at + 1;
      comma = -1;
    } else if (ends.includes(character) && isEndOfText(text, cursor.at)) {
      return read + text.slice(from, cursor.at++);
    } else if (ends.includes(character) && comma >= 0) {
      // This quote opens the next text: the one that should have ended this one is missing.
      cursor.at = comma;
      return read + text.slice(from, comma);
    } else if (character === ",") comma = cursor.at;
    else if (character.trim() !== "") comma = -1;
  }
  throw new UnreadableError();
}

/** Whether a quote ends its text, instead of standing in it: as what follows can tell. */
function isEndOfText(text: string, quote: number): boolean {
  const next = afterSpace(text, quote + 1);
  if (isAfterText(text, next)) return true;
  // Another text follows, unless that quote is the end of this one.
  return ENDS_OF_QUOTE.has(text[next] ?? "") && !isAfterText(text, afterSpace(text, next + 1));
}

function isAfterText(text: string, at: number): boolean {
  return AFTER_TEXT.includes(text[at] ?? "") || isComment(text, at);
}

/** Ends at the last character of the escape. */
function readEscape(cursor: Cursor): string {
  cursor.at++;
  const code = cursor.text.slice(cursor.at + 1, cursor.at + 5);
  if (here(cursor) === "u" && /^[\da-f]{4}$/i.test(code)) {
    cursor.at += 4;
    return String.fromCharCode(Number.parseInt(code, 16));
  }
  return ESCAPES.get(here(cursor)) ?? here(cursor);
}

/** Skips white space, comments and what is ignored. */
function skip(cursor: Cursor, ignored = ""): void {
  for (; cursor.at < cursor.text.length; cursor.at++) {
    while (isComment(cursor.text, cursor.at)) skipComment(cursor);
    const character = here(cursor);
    if (character.trim() !== "" && !ignored.includes(character)) return;
  }
}

function isComment(text: string, at: number): boolean {
  return text[at] === "/" && (text[at + 1] === "/" || text[at + 1] === "*");
}

function skipComment(cursor: Cursor): void {
  const { text, at } = cursor;
  const end = text[at + 1] === "/" ? "\n" : "*/";
  const found = text.indexOf(end, at + 2);
  cursor.at = found < 0 ? text.length : found + end.length;
}

/** The place of the next character from `from` on that is no space or tab. */
function afterSpace(text: string, from: number): number {
  let at = from;
  while (text[at] === " " || text[at] === "\t") at++;
  return at;
}

/** The next character; "" at the end. */
function here({ text, at }: Cursor): string {
  return text[at] ?? "";
}
