/** JSON as its text says it: numbers keep their digits, objects the order of their names, and names that occur twice both values. */

/** A text without its quotes, a number as it is written, `null` as nothing; or what contains further values. */
export type JsonValue = string | JsonList | JsonObject;
export type JsonList = readonly JsonValue[];

export interface JsonObject {
  readonly names: readonly string[];
  /** In the order of the names. */
  readonly values: readonly JsonValue[];
}

/** In little memory: arrays are copied to be as long as what is in them. @throws SyntaxError when it is not JSON, RangeError when it is nested too deeply */
export function parseJsonValue(text: string): JsonValue {
  // From here on, the text is known to be valid.
  JSON.parse(text);
  const next = tokenizer(text);
  const sharedNames = new Map<string, readonly string[]>();
  let ahead = next();

  function take(): string {
    const taken = ahead;
    ahead = next();
    return taken;
  }

  function readList(): JsonList {
    const values: JsonValue[] = [];
    for (; ahead !== "]"; skipComma()) values.push(readValue());
    take();
    return values.slice();
  }

  function readObject(): JsonObject {
    const names: string[] = [];
    const values: JsonValue[] = [];
    for (; ahead !== "}"; skipComma()) {
      names.push(shown(take()));
      // The colon.
      take();
      values.push(readValue());
    }
    take();
    return { names: shared(names), values: values.slice() };
  }

  /** Objects with the same names are frequent: their names are kept once. */
  function shared(names: readonly string[]): readonly string[] {
    const key = JSON.stringify(names);
    const known = sharedNames.get(key) ?? names.slice();
    sharedNames.set(key, known);
    return known;
  }

  function skipComma(): void {
    if (ahead === ",") take();
  }

  function readValue(): JsonValue {
    const token = take();
    return token === "[" ? readList() : token === "{" ? readObject() : shown(token);
  }

  return readValue();
}

/** Brackets, colons, commas, texts in quotes, numbers and words; empty at the end. */
function tokenizer(text: string): () => string {
  const token = /[{}[\],:]|[^\s{}[\],:"]{1,100000}/y;
  let at = 0;
  return () => {
    while (/\s/.test(text.charAt(at))) at++;
    const start = at;
    if (text.charAt(at) === '"') at = endOfString(text, at);
    else {
      token.lastIndex = at;
      at += token.exec(text)?.[0].length ?? 0;
    }
    return text.slice(start, at);
  };
}

/** A regular expression would need the more stack the longer the text is. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charAt(at - 1 - backslashes) === "\\") backslashes++;
    if (backslashes % 2 === 0) return at + 1;
  }
  return text.length;
}

function shown(token: string): string {
  if (token.startsWith('"')) return String(JSON.parse(token));
  return token === "null" ? "" : token;
}
