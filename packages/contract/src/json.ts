/**
 * The verbatim text of a value in a JSON document. Ontologies are stored and returned as the text that was sent, so
 * that number formats, member order and unknown members survive.
 */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A list whose items are made when they are written, so that a long one is not made at once. */
export class LazyList {
  readonly length: number;
  readonly itemAt: (at: number) => unknown;
  /** About the memory that it needs until it is written. */
  readonly heldBytes: number;

  constructor(list: Pick<LazyList, "length" | "itemAt" | "heldBytes">) {
    this.length = list.length;
    this.itemAt = list.itemAt;
    this.heldBytes = list.heldBytes;
  }
}

/** Like JSON.stringify, but writes a `RawJson` as its text and a `LazyList` as a list. Takes trees of plain data. */
export function stringifyJson(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (value instanceof LazyList) return [...jsonPieces(value)].join("");
  if (Array.isArray(value)) return `[${value.map((item) => stringifyJson(item ?? null)).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    // One native call is ten times as fast as one for each member; lists of thousands of rows are of such objects.
    if (isFlat(value)) return JSON.stringify(value);
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([name, member]) => `${JSON.stringify(name)}:${stringifyJson(member)}`);
    return `{${members.join(",")}}`;
  }
  return JSON.stringify(value) ?? "null";
}

function isFlat(value: object): boolean {
  return Object.values(value).every((member) => typeof member !== "object" || member === null);
}

const PIECE_CHARACTERS = 64 * 1024;

/** The text of `stringifyJson` in pieces: members, the items of members that are lists, and parts of long strings and raw texts among these. */
export function* jsonPieces(value: unknown, depth = 0): Generator<string> {
  if (typeof value === "string") return yield* stringPieces(value);
  if (value instanceof RawJson) return yield* textPieces(value.text);
  if (value instanceof LazyList) return yield* listPieces(value);
  if (depth > 1 || typeof value !== "object" || value === null) {
    return yield stringifyJson(value);
  }
  const isArray = Array.isArray(value);
  let separator = isArray ? "[" : "{";
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined && !isArray) continue;
    yield isArray ? separator : `${separator}${JSON.stringify(name)}:`;
    yield* jsonPieces(member, depth + 1);
    separator = ",";
  }
  yield (separator === "," ? "" : separator) + (isArray ? "]" : "}");
}

function* listPieces({ length, itemAt }: LazyList): Generator<string> {
  yield "[";
  for (let at = 0; at < length; at++) yield `${at === 0 ? "" : ","}${stringifyJson(itemAt(at) ?? null)}`;
  yield "]";
}

function* stringPieces(text: string): Generator<string> {
  yield '"';
  for (const piece of textPieces(text)) yield JSON.stringify(piece).slice(1, -1);
  yield '"';
}

/** Whole characters: JSON and UTF-8 write the two halves of one differently when they are apart. */
function* textPieces(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const isHalf = /[\ud800-\udbff]/.test(text[at + PIECE_CHARACTERS - 1] ?? "");
    const end = at + PIECE_CHARACTERS + (isHalf ? 1 : 0);
    yield text.slice(at, end);
    at = end;
  }
}

/**
 * The text of the member `name` of the object in `json`, or null when there is no such member. Of repeated members the
 * last one counts, as in JSON.parse. `json` must be valid JSON: parse it first.
 */
export function rawMember(json: string, name: string): RawJson | null {
  let found: RawJson | null = null;
  const start = skipSpace(json, 0);
  if (json[start] !== "{") return null;
  readMembers(json, start, (key, from) => {
    const end = skipValue(json, from);
    if (key === name) found = new RawJson(json.slice(from, end));
    return end;
  });
  return found;
}

/** The same for members of the object that is the member `parent`: all of them in one pass over the text. */
export function rawMembersOf(json: string, parent: string): (name: string) => RawJson | null {
  let found = new Map<string, RawJson>();
  const start = skipSpace(json, 0);
  const readInner = (key: string, from: number) => {
    const end = skipValue(json, from);
    found.set(key, new RawJson(json.slice(from, end)));
    return end;
  };
  const readOuter = (key: string, from: number) => {
    if (key !== parent) return skipValue(json, from);
    found = new Map();
    return json[from] === "{" ? readMembers(json, from, readInner) : skipValue(json, from);
  };
  if (json[start] === "{") readMembers(json, start, readOuter);
  return (name) => found.get(name) ?? null;
}

/** `from` is the offset of the opening bracket; returns the offset after the closing one. `read` does that for the value of a key. */
function readMembers(json: string, from: number, read: (key: string, from: number) => number): number {
  let at = skipSpace(json, from + 1);
  while (at < json.length && json[at] !== "}") {
    const keyEnd = skipString(json, at);
    const key = JSON.parse(json.slice(at, keyEnd)) as string; // A key of valid JSON.
    at = skipSpace(json, read(key, skipSpace(json, skipSpace(json, keyEnd) + 1)));
    if (json[at] === ",") at = skipSpace(json, at + 1);
  }
  return at + 1;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function skipSpace(json: string, from: number): number {
  let at = from;
  while (json[at] === " " || json[at] === "\n" || json[at] === "\r" || json[at] === "\t") at++;
  return at;
}

/** `from` is the offset of the opening quote; returns the offset after the closing one. */
function skipString(json: string, from: number): number {
  let at = from + 1;
  for (; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) break;
    if (code === BACKSLASH) at++;
  }
  return at + 1;
}

function skipValue(json: string, from: number): number {
  const first = json[from];
  if (first === '"') return skipString(json, from);
  let at = from;
  if (first !== "{" && first !== "[") {
    while (at < json.length && !",]} \n\r\t".includes(json[at] ?? "")) at++;
    return at;
  }
  let depth = 0;
  do {
    const code = json.charCodeAt(at);
    // "[" and "{", "]" and "}" differ in one bit.
    if ((code | 0x20) === 0x7b) depth++;
    else if ((code | 0x20) === 0x7d) depth--;
    at = code === QUOTE ? skipString(json, at) : at + 1;
  } while (depth > 0 && at < json.length);
  return at;
}
