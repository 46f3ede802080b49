/** Finds the names in the value of a field. */

import type { Span } from "../../../../domain/graph.ts";
import { connectors, honorifics, ranks } from "../../../text/names/name-words.ts";

export interface FieldNames {
  /** Words in small letters before the name: "bequest of". */
  readonly lead: string;
  readonly names: readonly Span[];
}

const MAX_NAMES = 12;
const MAX_WORDS = 8;
/** Says that there is none, or that it is not settled. */
const noValue =
  /^(?:n\/?a|none|nil|no|yes|not|nobody|unknown|tb[acd]|pending|vacant|open|same|see|-+|\?+|–|—)(?![\p{L}\p{N}])/iu;
const lead = /^(?:\p{Ll}[\p{Ll}'’-]* ){1,4}(?=["“‘]?\p{Lu})/u;

/** `text`: the value, `start` where it begins. */
export function readFieldNames(text: string, start: number): FieldNames {
  const opened = lead.exec(text)?.[0] ?? "";
  const rest = text.slice(opened.length);
  if (rest === "" || noValue.test(rest) || /[?]/.test(rest)) return { lead: "", names: [] };
  const parts = splitList(rest);
  const isNumbered = parts.length > 1 && parts.every(({ text: part }) => /\s\d+\s?%?$/.test(part));
  const names = parts.flatMap((part) => nameIn(part, isNumbered) ?? []);
  const offset = start + opened.length;
  return {
    lead: opened.trim().toLowerCase(),
    names: names.slice(0, MAX_NAMES).map((one) => ({ start: offset + one.start, end: offset + one.end })),
  };
}

interface Part {
  readonly text: string;
  readonly start: number;
}

/** At semicolons; at commas and "and" where everything between them is a name. */
function splitList(text: string): readonly Part[] {
  const whole = { text, start: 0 };
  const coarse = splitAt(whole, /\s*;\s*/g);
  if (coarse.length > 1) return coarse;
  const fine = splitAt(whole, /\s*,\s*(?:and\s+)?|\s+and\s+/g);
  const isName = ({ text: part }: Part) => /^["“(]?(?:\d+\s?%\s)?\p{Lu}/u.test(part) && !/^\S+\.$/.test(part);
  return fine.length > 1 && fine.every(isName) && fine.every((part) => /\p{Ll}/u.test(part.text))
    ? fine
    : [whole];
}

function splitAt({ text, start }: Part, separators: RegExp): readonly Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const match of text.matchAll(separators)) {
    parts.push({ text: text.slice(from, match.index), start: start + from });
    from = match.index + match[0].length;
  }
  parts.push({ text: text.slice(from), start: start + from });
  return parts.filter((part) => part.text !== "");
}

/** The name without what stands around it: titles, amounts, asides. */
function nameIn({ text, start }: Part, isNumbered: boolean): Span | null {
  let from = /^(?:["“”‘*_\s]|\d+(?:[.,]\d+)?\s?%\s)*/.exec(text)?.[0].length ?? 0;
  for (;;) {
    const word = /^(\p{L}+)\.?\s+(?=\p{Lu})/u.exec(text.slice(from));
    const isTitle =
      word?.[1] !== undefined && (honorifics.has(word[1].toLowerCase()) || isRank(word[0], word[1]));
    if (word === null || !isTitle) break;
    from += word[0].length;
  }
  let to = text.length;
  // "X (2.3 ha)", "X, guyot", "X - Room 204", "X 18 mg": what follows tells more of X.
  const more = /\s*\(|,\s+(?=\p{Ll}|\d)|\s[-–—]\s|["“”]|\s+\d[\d.,]*\s?(?:%|\p{Ll})/u.exec(text.slice(from));
  if (more !== null && more.index > 0) to = from + more.index;
  if (isNumbered) to = from + text.slice(from, to).replace(/\s+\d+\s?%?$/, "").length;
  to = from + text.slice(from, to).replace(/[\s.,:*_]{1,8}$/, "").length;
  const name = text.slice(from, to);
  const words = name.split(/\s+/);
  const isName = /\p{L}/u.test(name) && words.length <= MAX_WORDS && !noValue.test(name);
  // "Corvina soc. coop." keeps its full stop.
  if (!isName || words.filter((word) => /^\p{Ll}/u.test(word) && !connectors.has(word)).length > 5)
    return null;
  return { start: start + from, end: start + to };
}

/** Of words that are names as well, only with a full stop: "Capt." */
function isRank(written: string, word: string): boolean {
  return ranks.has(word.toLowerCase()) && written.includes(".");
}
