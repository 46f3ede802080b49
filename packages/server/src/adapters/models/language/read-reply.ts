/** Reads the JSON out of a reply: as it is, out of the talk around it, or mended. */
import { jsonrepair } from "jsonrepair";
import { type JsonSpan, spanAt } from "./json-spans.ts";

export interface ReadReply {
  /** An object or an array; null where there was none. */
  readonly value: unknown;
  /** How often something had to be dropped or mended: talk around the JSON, a cut-off end, faults of grammar. */
  readonly repairs: number;
}

const MAX_LENGTH = 4 * 1024 * 1024;
/** Brackets in talk before the JSON; more is no reply to what was asked. */
const MAX_STARTS = 32;

const nothing: ReadReply = { value: null, repairs: 0 };

/** Never throws; a reply that is too long, or nested deeper than 64 levels, has no value. */
export function readReply(reply: string): ReadReply {
  if (reply.length > MAX_LENGTH) return nothing;
  const text = withoutThoughts(reply).trim();
  const { read, unread } = candidatesIn(text);
  const [longest] = read.toSorted((a, b) => b.span.text.length - a.span.text.length);
  if (longest !== undefined) return { value: longest.value, repairs: repairsOf(longest.span, text) };
  for (const span of unread.toSorted((a, b) => b.text.length - a.text.length)) {
    const value = mend(span);
    if (value !== null) return { value, repairs: repairsOf(span, text) + 1 };
  }
  return nothing;
}

/** Some models write what they think before what they answer. */
export function withoutThoughts(reply: string): string {
  return reply.replace(/^\s*<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/, "");
}

interface Candidates {
  readonly read: readonly { readonly span: JsonSpan; readonly value: object }[];
  /** What has brackets like JSON, but is none as it stands. */
  readonly unread: readonly JsonSpan[];
}

/** From the outside in: what lies within JSON that was read is no candidate of its own. */
function candidatesIn(text: string): Candidates {
  const read: { span: JsonSpan; value: object }[] = [];
  const unread: JsonSpan[] = [];
  let from = 0;
  for (let starts = 0; starts < MAX_STARTS; starts++) {
    const offset = text.slice(from).search(/[{[]/);
    if (offset < 0) break;
    const span = spanAt(text, from + offset);
    const value = span === null ? null : parse(wholeText(span));
    if (span !== null && value !== null) read.push({ span, value });
    else if (span !== null) unread.push(span);
    const isCutHere = span?.closed === false && value !== null && Object.keys(value).length > 0;
    if (isCutHere) break;
    // What is unclosed and cannot be read may be a bracket of the talk before.
    from += offset + (span?.closed === true ? span.text.length : 1);
  }
  return { read, unread };
}

/** What ends in the middle is cut back to its last whole item: half of one, closed, would say what the model did not. */
function wholeText({ text, closed, cut }: JsonSpan): string {
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

function mend(span: JsonSpan): object | null {
  const text = wholeText(span);
  try {
    return text === "" ? null : parse(jsonrepair(text));
  } catch {
    return null;
  }
}
