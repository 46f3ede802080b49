/** Splits a question about something that it only describes: "Where was the founder of Kestrel Mill born?". */
import type { Span } from "../../../domain/graph.ts";
import { hasWholeWords } from "../../text/names/normal-form.ts";
import { ENGLISH_STOP_WORDS } from "../../text/stop-words.ts";
import { describedByClause } from "./described-by-clause.ts";
import { namesInQuestion } from "./question-names.ts";

export interface NestedQuestion {
  /** Asks for what is described: "Who or what is the founder of Kestrel Mill?". */
  readonly inner: string;
  /** Those that the description has, of which a passage has one: "Kestrel Mill". */
  readonly names: readonly string[];
  /** What is described is of it: "founder". */
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
/** "X's husband's birthday" */
const OWNER = /^(\p{Ll}[\p{Ll}-]*)['’]s$/u;
/** A name that is a list: "Up, Down, ". */
const LISTED = /(?<=[a-z] )(?:\p{Lu}[\p{L}\p{N}'’-]{0,30}, ){1,4}$/u;
/** What follows it is no verb, or a participle: "the place of birth of X's father", "Where was X's father born?". */
const OF = /(?:^| )of $/u;
const IS = /(?:^| )(?:is|was|are|were) $/u;
const PARTICIPLE = /(?:ed|[^m]en|[oaw]wn|rn)$/u;
const PART = / (?:in|on|at|for|from) /u;
const MAX_ASKED_UNITS = 600;

/** English only. null where nothing is described, and where the question asks for nothing but what is described. */
export function splitNested(query: string): NestedQuestion | null {
  if (query.length > MAX_ASKED_UNITS || hasWholeWords(query)) return null;
  for (const { start, end: last } of wholeNames(query)) {
    const end = last + (SPECIFIER.exec(query.slice(last))?.[0].length ?? 0);
    const described = beforeName(query, { start, end }) ?? afterName(query, { start, end });
    if (described === null || !asksForMore(query, described)) continue;
    return { names: [query.slice(start, end)], role: described.role, ...nested(query, described) };
  }
  return splitByClause(query);
}

function splitByClause(query: string): NestedQuestion | null {
  const described = describedByClause(query);
  if (described === null || !asksForMore(query, described)) return null;
  const names = wholeNames(query)
    .filter(({ start, end }) => start >= described.start && end <= described.end)
    .flatMap(({ start, end }) => partsOf(query.slice(start, end)));
  return names.length === 0 ? null : { names, role: described.role, ...nested(query, described) };
}

/** "Maud in Grey Sheds" may be one name, or two. */
function partsOf(name: string): readonly string[] {
  const parts = name.split(PART);
  return parts.length > 1 ? [name, ...parts] : parts;
}

/** "Odile Brandt, Duchess of Velden" is one name, and so is "Up, Down, Away". */
function wholeNames(query: string): readonly Span[] {
  const whole: Span[] = [];
  for (const { start: first, end: last } of namesInQuestion(query)) {
    const before = whole.at(-1);
    const end = last - (/['’]s$/u.exec(query.slice(first, last))?.[0].length ?? 0);
    if (before !== undefined && query.slice(before.end, first) === ", ")
      whole[whole.length - 1] = { start: before.start, end };
    else whole.push({ start: first - (LISTED.exec(query.slice(0, first))?.[0].length ?? 0), end });
  }
  return whole;
}

interface Description extends Span {
  readonly role: string;
}

function nested(query: string, { start, end }: Span): Pick<NestedQuestion, "inner" | "outer"> {
  return {
    inner: `Who or what is ${query.slice(start, end)}?`,
    outer: (answer) => `${query.slice(0, start)}${answer}${query.slice(end)}`,
  };
}

/** "the maternal grandfather of the film X" */
function beforeName(query: string, { start, end }: Span): Description | null {
  const words = wordsOf(query.slice(0, start));
  let at = words.length - 1;
  for (let kinds = 0; kinds < MAX_KIND_WORDS && isRole(words[at]) && words[at]?.text !== "of"; kinds++) at--;
  if (words[at]?.text !== "of") return null;
  const of = at;
  for (at--; at >= Math.max(0, of - 1 - MAX_ROLE_WORDS); at--) {
    const { text, start: from } = words[at] ?? { text: "", start: 0 };
    if (text === "the") {
      const role = words.slice(at + 1, of).map((word) => word.text);
      return role.length === 0 ? null : { start: from, end, role: role.join(" ") };
    }
    if (!LOWER.test(text) || text === "of") return null;
  }
  return null;
}

/** "X's maternal grandfather": it ends before the question's last word where that is its verb. */
function afterName(query: string, { start, end }: Span): Description | null {
  const possessive = POSSESSIVE.exec(query.slice(end))?.[0];
  if (possessive === undefined) return null;
  const from = end + possessive.length;
  const words = wordsOf(query.slice(from));
  let count = 0;
  while (count < Math.min(words.length, MAX_ROLE_WORDS) && isRole(words[count])) count++;
  const owner = OWNER.exec(words[count]?.text ?? "")?.[1];
  const said = words.slice(0, count).map(({ text }) => text);
  const [last, next] = [words[count - 1], words[count]];
  if (owner !== undefined && next !== undefined) {
    const role = [...said, owner].join(" ");
    return { start, end: from + next.start + owner.length, role };
  }
  if (last === undefined) return null;
  const asked = query.slice(0, start);
  const endsWithVerb =
    count === words.length && !OF.test(asked) && (!IS.test(asked) || PARTICIPLE.test(last.text));
  if (!endsWithVerb) return { start, end: from + last.end, role: said.join(" ") };
  const before = words[count - 2];
  return before === undefined ? null : { start, end: from + before.end, role: said.slice(0, -1).join(" ") };
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
