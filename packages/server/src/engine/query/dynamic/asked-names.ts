/** The names that a question has, as they stand in it. */
import type { Span } from "../../../domain/graph.ts";
import { findNames } from "../../text/names/question-names.ts";
import { ENGLISH_STOP_WORDS } from "../../text/stop-words.ts";

export interface AskedName extends Span {
  /** Normal form. */
  readonly name: string;
}

const CAPITAL = /^["“‘'(]*[\p{Lu}\p{N}]/u;
const CONNECTOR = /^(?:of|the|de|da|di|du|la|le|les|des|der|den|von|van|und|y|e|in|for|on|at|to|a)$/i;

/** In the order of the text, none over another: runs of capitals, with small connecting words inside ("Bank of Orrin"). */
export function askedNames(query: string): readonly AskedName[] {
  const kept: AskedName[] = [];
  for (const { name, start, end, isCapitalized } of findNames(query)) {
    const words = query.slice(start, end).split(/\s+/);
    const [first = "", last = ""] = [words[0], words.at(-1)];
    const isWhole = words.every((word) => CAPITAL.test(word) || CONNECTOR.test(word));
    const opens = start === 0 && ENGLISH_STOP_WORDS.has(first.toLowerCase());
    const isList = /,\s/.test(query.slice(start, end));
    if (!isCapitalized || !isWhole || isList || !CAPITAL.test(first) || !CAPITAL.test(last) || opens)
      continue;
    if (!kept.some((other) => start < other.end && other.start < end)) kept.push({ name, start, end });
  }
  return kept.sort((one, other) => one.start - other.start);
}

/** The question without some stretches of it. */
export function leaveOut(query: string, spans: readonly Span[]): string {
  let rest = "";
  let from = 0;
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    rest += query.slice(from, start);
    from = end;
  }
  return (rest + query.slice(from)).replace(/\s+/g, " ").trim();
}
