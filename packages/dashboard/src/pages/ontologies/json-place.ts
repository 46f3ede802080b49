/** Finds the place of a fault in a JSON text. The service names places as `schema.ontology.edge_types[0]["a name"]`. */

export interface TextRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

type Step = string | number;

const root = "schema";
const step = /\.([\p{L}\p{N}_-]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/uy;
/** The service truncates long names in places and appends this. */
const ellipsis = "…";

/**
 * The range of the value that a fault of the form `place: what, expected …` refers to. For a missing value it is the first
 * line of its parent. null when the fault names no place or the text is not JSON.
 */
export function faultRange(text: string, fault: string): TextRange | null {
  const steps = stepsOf(fault);
  if (steps === null) return null;
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  return descend(text, afterSpace(text, 0), steps);
}

function stepsOf(fault: string): readonly Step[] | null {
  if (!fault.startsWith(root)) return null;
  const steps: Step[] = [];
  let at = root.length;
  for (;;) {
    step.lastIndex = at;
    const match = step.exec(fault);
    if (match === null) break;
    const [matched, name, index, quoted] = match;
    steps.push(index !== undefined ? Number(index) : (name ?? String(JSON.parse(quoted ?? '""'))));
    at += matched.length;
  }
  return fault.startsWith(":", at) ? steps : null;
}

/** `at` is the offset of a value. */
function descend(text: string, at: number, [first, ...rest]: readonly Step[]): TextRange {
  if (first === undefined) return { start: at, end: endOfValue(text, at) };
  const child = typeof first === "number" ? itemOf(text, at, first) : memberOf(text, at, first);
  if (child !== null) return descend(text, child, rest);
  return { start: at, end: Math.min(endOfLine(text, at), endOfValue(text, at)) };
}

/** The offset of a member's value. Of members with the same name the last one counts, as in JSON.parse. */
function memberOf(text: string, object: number, name: string): number | null {
  if (text[object] !== "{") return null;
  let found: number | null = null;
  let at = afterSpace(text, object + 1);
  while (text[at] === '"') {
    const colon = afterSpace(text, endOfValue(text, at));
    const value = afterSpace(text, colon + 1);
    if (isNamed(String(JSON.parse(text.slice(at, endOfValue(text, at)))), name)) found = value;
    at = afterComma(text, endOfValue(text, value));
  }
  return found;
}

function isNamed(key: string, name: string): boolean {
  return key === name || (name.endsWith(ellipsis) && key.startsWith(name.slice(0, -ellipsis.length)));
}

function itemOf(text: string, array: number, index: number): number | null {
  if (text[array] !== "[") return null;
  let at = afterSpace(text, array + 1);
  for (let item = 0; item < index && text[at] !== "]"; item++) at = afterComma(text, endOfValue(text, at));
  return text[at] === "]" ? null : at;
}

/** A name that an object of a JSON text has twice: parsing it would lose the first member. null: there is none. */
export function repeatedName(text: string): string | null {
  const open: (Set<string> | null)[] = [];
  let at = 0;
  while (at < text.length) {
    const char = text[at];
    if (char === "{" || char === "[") open.push(char === "{" ? new Set() : null);
    else if (char === "}" || char === "]") open.pop();
    if (char !== '"') {
      at += 1;
      continue;
    }
    const end = endOfString(text, at);
    const names = open.at(-1);
    if (names != null && text[afterSpace(text, end)] === ":") {
      const name = String(JSON.parse(text.slice(at, end)));
      if (names.has(name)) return name;
      names.add(name);
    }
    at = end;
  }
  return null;
}

function endOfValue(text: string, start: number): number {
  let depth = 0;
  let at = start;
  do {
    const char = text[at];
    if (char === '"') at = endOfString(text, at);
    else if (char === "{" || char === "[" || char === "}" || char === "]") {
      depth += char === "{" || char === "[" ? 1 : -1;
      at += 1;
    } else if (depth > 0) at += 1;
    else at = endOfLiteral(text, at);
  } while (depth > 0);
  return at;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

/** The end of a number, true, false or null. */
function endOfLiteral(text: string, start: number): number {
  let at = start;
  while (at < text.length && /[\w.+-]/.test(text[at] ?? "")) at += 1;
  return at;
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end < 0 ? text.length : end;
}

function afterComma(text: string, at: number): number {
  const next = afterSpace(text, at);
  return text[next] === "," ? afterSpace(text, next + 1) : next;
}

function afterSpace(text: string, start: number): number {
  let at = start;
  while (/\s/.test(text[at] ?? "")) at += 1;
  return at;
}
