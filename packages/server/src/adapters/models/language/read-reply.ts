/** Extracts JSON from a reply: the whole text, a part of it, or a repaired part. */
import { type JsonSpan, spanAt } from "./json-spans.ts";
import { repairJson } from "./repair-json.ts";

export interface ReadReply {
  /** An object or an array; null when the reply contains none. */
  readonly value: unknown;
  /** Number of repairs: dropped text around the JSON, a truncated end, syntax errors. */
  readonly repairs: number;
}

/** UTF-16 units of a reply with the reasoning before it, and without: several times the longest that is asked for, 8,000 tokens. */
const MAX_LENGTH = { whole: 4 * 1024 * 1024, json: 128 * 1024 };
/** Of all searches for the end of JSON in a reply together: what follows a bracket that nothing closes is searched again. */
const MAX_SEARCHED = 4 * MAX_LENGTH.json;
/** Of the spans of a reply together: repairing takes several times as long as parsing, and a reply is read in the main thread. */
const MAX_REPAIRED = 48 * 1024;
/** Limit of opening brackets that are tried as the start of JSON. */
const MAX_STARTS = 16;

const noValue: ReadReply = { value: null, repairs: 0 };

/** Never throws. A reply that is too long, or nested deeper than 64 levels, has no value. */
export function readReply(reply: string): ReadReply {
  if (reply.length > MAX_LENGTH.whole) return noValue;
  const text = withoutThoughts(reply).trim();
  if (text.length > MAX_LENGTH.json) return noValue;
  const { parsed, unparsed } = candidatesIn(text);
  const [longest] = parsed.toSorted((a, b) => b.span.text.length - a.span.text.length);
  if (longest !== undefined) return { value: longest.value, repairs: repairsOf(longest.span, text) };
  let left = MAX_REPAIRED;
  for (const span of unparsed.toSorted((a, b) => b.text.length - a.text.length)) {
    if (span.text.length > left) continue;
    left -= span.text.length;
    const value = repairJson(closedText(span));
    if (value !== null) return { value, repairs: repairsOf(span, text) + 1 };
  }
  return noValue;
}

/** Removes the reasoning that some models write before their reply. */
export function withoutThoughts(reply: string): string {
  return reply.replace(/^\s*<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/, "");
}

interface Candidates {
  readonly parsed: readonly { readonly span: JsonSpan; readonly value: object }[];
  /** Spans with matching brackets that are not valid JSON. */
  readonly unparsed: readonly JsonSpan[];
}

/** Searches from the outside in: a span within parsed JSON is not a candidate of its own. */
function candidatesIn(text: string): Candidates {
  const parsed: { span: JsonSpan; value: object }[] = [];
  const unparsed: JsonSpan[] = [];
  let [from, searched] = [0, 0];
  for (let starts = 0; starts < MAX_STARTS; starts++) {
    const offset = text.slice(from).search(/[{[]/);
    if (offset < 0 || searched + text.length - from > MAX_SEARCHED) break;
    const span = spanAt(text, from + offset);
    searched += span?.closed === true ? span.text.length : text.length - from;
    const value = span === null ? null : parse(closedText(span));
    if (span !== null && value !== null) parsed.push({ span, value });
    else if (span !== null) unparsed.push(span);
    const isCutHere = span?.closed === false && value !== null && Object.keys(value).length > 0;
    if (isCutHere) break;
    // An unclosed span that cannot be parsed may start with a bracket of the text before the JSON.
    from += offset + (span?.closed === true ? span.text.length : 1);
  }
  return { parsed, unparsed };
}

/**
 * Cuts truncated text back to its last complete item: closing an incomplete item would change what the model
 * wrote.
 */
function closedText({ text, closed, cut }: JsonSpan): string {
  if (closed) return text;
  return cut === null ? "" : text.slice(0, cut.at) + cut.closing;
}

function repairsOf({ text, closed }: JsonSpan, reply: string): number {
  return (closed ? 0 : 1) + (reply.length > text.length ? 1 : 0);
}

function parse(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}
