/** Splits a question about something that it only describes: "Where was the founder of Kestrel Mill born?". */
import type { Span } from "../../../domain/graph.ts";
import { ENGLISH_STOP_WORDS } from "../../text/stop-words.ts";
import { namesInQuestion } from "./question-names.ts";

export interface NestedQuestion {
  /** Asks for what is described: "Who or what is the founder of Kestrel Mill?". */
  readonly inner: string;
  /** That the description has: "Kestrel Mill". */
  readonly name: string;
  /** The description without the name: "the founder of". */
  readonly role: string;
  /** The question with the answer to `inner` in place of the description. */
  outer(answer: string): string;
}

/** Words between the description's "the" and "of": "maternal grandfather". */
const MAX_ROLE_WORDS = 4;
/** Between "of" and the name: "film", "the song". */
const MAX_KIND_WORDS = 2;
const LOWER = /^\p{Ll}[\p{Ll}-]*$/u;
/** Of a name that several things have: "Kestrel Bay (film)", also where its last words are taken for the name's. */
const SPECIFIER = /^(?: \([^()]{1,60})?\)/u;
const POSSESSIVE = /^(?:['’]s|s['’]) /u;
const MAX_ASKED_UNITS = 600;

/** English only. null where nothing is described, and where the question asks for nothing but what is described. */
export function splitNested(query: string): NestedQuestion | null {
  if (query.length > MAX_ASKED_UNITS) return null;
  for (const { start, end: last } of wholeNames(query)) {
    const end = last + (SPECIFIER.exec(query.slice(last))?.[0].length ?? 0);
    const described = beforeName(query, { start, end }) ?? afterName(query, { start, end });
    const name = query.slice(start, end);
    if (described === null || !asksForMore(query, described)) continue;
    const role = query.slice(described.start, described.end).replace(name, " ");
    return { name, role, ...nested(query, described) };
  }
  return null;
}

/** "Odile Brandt, Duchess of Velden" is one name. */
function wholeNames(query: string): readonly Span[] {
  const whole: Span[] = [];
  for (const name of namesInQuestion(query)) {
    const before = whole.at(-1);
    if (before !== undefined && query.slice(before.end, name.start) === ", ")
      whole[whole.length - 1] = { start: before.start, end: name.end };
    else whole.push(name);
  }
  return whole;
}

function nested(query: string, { start, end }: Span): Pick<NestedQuestion, "inner" | "outer"> {
  return {
    inner: `Who or what is ${query.slice(start, end)}?`,
    outer: (answer) => `${query.slice(0, start)}${answer}${query.slice(end)}`,
  };
}

/** "the maternal grandfather of the film X" */
function beforeName(query: string, { start, end }: Span): Span | null {
  const words = wordsOf(query.slice(0, start));
  let at = words.length - 1;
  for (let kinds = 0; kinds < MAX_KIND_WORDS && isRole(words[at]) && words[at]?.text !== "of"; kinds++) at--;
  if (words[at]?.text !== "of") return null;
  const least = at - 1 - MAX_ROLE_WORDS;
  for (at--; at >= Math.max(0, least); at--) {
    const { text, start: from } = words[at] ?? { text: "", start: 0 };
    if (text === "the") return words[at + 1]?.text === "of" ? null : { start: from, end };
    if (!LOWER.test(text) || text === "of") return null;
  }
  return null;
}

/** "X's maternal grandfather": what follows ends before the question's last word, which is its verb. */
function afterName(query: string, { start, end }: Span): Span | null {
  const possessive = POSSESSIVE.exec(query.slice(end))?.[0];
  if (possessive === undefined) return null;
  const from = end + possessive.length;
  const words = wordsOf(query.slice(from));
  let role = 0;
  while (role < Math.min(words.length, MAX_ROLE_WORDS) && isRole(words[role])) role++;
  if (role === words.length) role--;
  const last = words[role - 1];
  return last === undefined ? null : { start, end: from + last.end };
}

/** Whether the question has content beside the description and the words that ask. */
function asksForMore(query: string, { start, end }: Span): boolean {
  const rest = wordsOf(`${query.slice(0, start)} ${query.slice(end)}`);
  return rest.some(({ text }) => /^[\p{L}\p{N}]/u.test(text) && !ENGLISH_STOP_WORDS.has(text.toLowerCase()));
}

function isRole(word: { readonly text: string } | undefined): boolean {
  return (
    word !== undefined && LOWER.test(word.text) && !(ENGLISH_STOP_WORDS.has(word.text) && word.text !== "the")
  );
}

interface Word extends Span {
  readonly text: string;
}

function wordsOf(text: string): readonly Word[] {
  return [...text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}'’-]*/gu)].map((match) => ({
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));
}
