/** Where in a JSON text a fault is: the service names places like `schema.ontology.edge_types[0]["a name"]`. */

export interface TextRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

type Step = string | number;

const root = "schema";
const step = /\.([\p{L}\p{N}_-]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/uy;
/** Long names are cut in places, and end so. */
const cut = "…";

/**
 * The value that a fault, `place: what, expected …`, is about, in the text of the schema; where it is missing, the first line of what
 * should hold it. null where the fault names no place, or the text is not JSON.
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
    const [whole, name, index, quoted] = match;
    steps.push(index !== undefined ? Number(index) : (name ?? String(JSON.parse(quoted ?? '""'))));
    at += whole.length;
  }
  return fault.startsWith(":", at) ? steps : null;
}

/** `at`: where a value begins. */
function descend(text: string, at: number, [first, ...rest]: readonly Step[]): TextRange {
  if (first === undefined) return { start: at, end: endOfValue(text, at) };
  const below = typeof first === "number" ? itemOf(text, at, first) : memberOf(text, at, first);
  if (below !== null) return descend(text, below, rest);
  return { start: at, end: Math.min(endOfLine(text, at), endOfValue(text, at)) };
}

/** Where the value of a member begins; the last one of that name, as it is the one that counts. */
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
  return key === name || (name.endsWith(cut) && key.startsWith(name.slice(0, -cut.length)));
}

function itemOf(text: string, array: number, index: number): number | null {
  if (text[array] !== "[") return null;
  let at = afterSpace(text, array + 1);
  for (let item = 0; item < index && text[at] !== "]"; item++) at = afterComma(text, endOfValue(text, at));
  return text[at] === "]" ? null : at;
}

function endOfValue(text: string, start: number): number {
  let depth = 0;
  let at = start;
  do {
    const sign = text[at];
    if (sign === '"') at = endOfString(text, at);
    else if (sign === "{" || sign === "[" || sign === "}" || sign === "]") {
      depth += sign === "{" || sign === "[" ? 1 : -1;
      at += 1;
    } else if (depth > 0) at += 1;
    else at = endOfWord(text, at);
  } while (depth > 0);
  return at;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
  return at + 1;
}

/** Of a number, true, false or null. */
function endOfWord(text: string, start: number): number {
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
