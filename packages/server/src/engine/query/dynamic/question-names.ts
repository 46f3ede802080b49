/** The names that a question contains, with their places in it. */
import type { Span } from "../../../domain/graph.ts";
import { findNames } from "../../text/names/question-names.ts";
import { ENGLISH_STOP_WORDS } from "../../text/stop-words.ts";

export interface QuestionName extends Span {
  /** Normal form. */
  readonly name: string;
}

const CAPITAL = /^["“‘'(]*[\p{Lu}\p{N}]/u;
const CONNECTOR = /^(?:of|the|de|da|di|du|la|le|les|des|der|den|von|van|und|y|e|in|for|on|at|to|a)$/i;

/** Runs of capitalised words with connecting words inside ("Bank of Orrin"), in order, without overlaps. */
export function namesInQuestion(query: string): readonly QuestionName[] {
  const names: QuestionName[] = [];
  for (const { name, start, end, isCapitalized } of findNames(query)) {
    const words = query.slice(start, end).split(/\s+/);
    const [first = "", last = ""] = [words[0], words.at(-1)];
    const isRun = words.every((word) => CAPITAL.test(word) || CONNECTOR.test(word));
    const isOpeningWord = start === 0 && ENGLISH_STOP_WORDS.has(first.toLowerCase());
    const isList = /,\s/.test(query.slice(start, end));
    if (!isCapitalized || !isRun || isList || isOpeningWord) continue;
    if (!CAPITAL.test(first) || !CAPITAL.test(last)) continue;
    if (!names.some((other) => start < other.end && other.start < end)) names.push({ name, start, end });
  }
  return names.sort((one, other) => one.start - other.start);
}

/** The question without the given spans, with single spaces. */
export function removeSpans(query: string, spans: readonly Span[]): string {
  let rest = "";
  let from = 0;
  for (const { start, end } of spans.toSorted((one, other) => one.start - other.start)) {
    rest += query.slice(from, start);
    from = end;
  }
  return (rest + query.slice(from)).replace(/\s+/g, " ").trim();
}
