/** Finds the names in the value of a field. */

import type { Span } from "../../../../domain/graph.ts";
import { connectors, honorifics, ranks } from "../../../text/names/name-words.ts";
import { type Piece, splitAt } from "./pieces.ts";

export interface FieldNames {
  /** Words in small letters before the name: "bequest of". */
  readonly lead: string;
  readonly names: readonly Span[];
}

const MAX_NAMES = 12;
const MAX_WORDS = 8;
const MAX_LEAD_WORDS = 4;
/** More of them are a clause. */
const MAX_SMALL_WORDS = 5;
/** They say that there is no value, or that it is not settled: as its first word, and alone. */
const noValues = {
  first: new Set("n/a none nil not nobody unknown tba tbc tbd pending vacant - – —".split(" ")),
  whole: new Set("no yes open same".split(" ")),
};
/** "X (2.3 ha)", "X, guyot", "X - Room 204", "X 18 mg": what follows tells more of X. */
const aside = /\(|, [\p{Ll}\d]| [-–—] |["“”]| \d[\d.,]{0,12} ?(?:%|\p{Ll})/u;

/** Whether a key says no more than that a name follows. */
export function isNeutral(key: string): boolean {
  return key === "" || key === "name" || key === "title";
}

/** `text`: the value, `start` where it begins. */
export function readFieldNames(text: string, start: number): FieldNames {
  const opened = leadOf(text);
  const rest = text.slice(opened.length);
  if (rest === "" || isNoValue(rest) || rest.includes("?")) return { lead: "", names: [] };
  const parts = splitList({ text: rest, start: start + opened.length, end: start + text.length });
  const isNumbered = parts.length > 1 && parts.every(({ text: part }) => / \d{1,4} ?%?$/.test(part));
  const names = parts.flatMap((part) => nameIn(part, isNumbered) ?? []);
  return { lead: opened.trim(), names: names.slice(0, MAX_NAMES) };
}

function leadOf(text: string): string {
  const words = text.split(" ", MAX_LEAD_WORDS + 1);
  const capital = words.findIndex((word) => !/^\p{Ll}/u.test(word));
  const isLead = capital > 0 && /^["“‘]?\p{Lu}/u.test(words[capital] ?? "");
  return isLead ? `${words.slice(0, capital).join(" ")} ` : "";
}

function isNoValue(text: string): boolean {
  const written = text.toLowerCase();
  return noValues.whole.has(written) || noValues.first.has(written.split(/[\s,;.]/, 1)[0] ?? "");
}

/** At semicolons; at commas and "and" where everything between them is a name. */
function splitList(whole: Piece): readonly Piece[] {
  const coarse = splitAt(whole, /;/g);
  if (coarse.length > 1) return coarse;
  const fine = splitAt(whole, /,| and /g);
  const isName = ({ text }: Piece) =>
    /^["“(]?(?:\d{1,3} ?% )?\p{Lu}/u.test(text) && /\p{Ll}/u.test(text) && !/^\S{1,40}\.$/.test(text);
  return fine.length > 1 && fine.every(isName) ? fine : [whole];
}

/** The name without what stands around it: titles, amounts, asides. */
function nameIn({ text, start }: Piece, isNumbered: boolean): Span | null {
  let from = /^(?:\d{1,3}(?:\.\d)? ?% )?["“”‘*_]{0,3}/.exec(text)?.[0].length ?? 0;
  for (let word = titleAt(text, from); word > 0; word = titleAt(text, from)) from += word;
  let to = text.length;
  const more = aside.exec(text.slice(from));
  if (more !== null && more.index > 0) to = from + more.index;
  if (isNumbered) to = from + text.slice(from, to).replace(/ \d{1,4} ?%?$/, "").length;
  while (to > from && /[\s.,:*_]/.test(text[to - 1] ?? "")) to--;
  const name = text.slice(from, to);
  const words = name.split(/\s/);
  const small = words.filter((word) => /^\p{Ll}/u.test(word) && !connectors.has(word));
  const isName = /\p{L}/u.test(name) && words.length <= MAX_WORDS && !isNoValue(name);
  return isName && small.length <= MAX_SMALL_WORDS ? { start: start + from, end: start + to } : null;
}

/** Units of the title before a name: "Dr ", "Capt. "; words that are names as well only with a full stop. */
function titleAt(text: string, from: number): number {
  const word = /^(\p{L}{1,12})(\.?) /u.exec(text.slice(from));
  if (word === null || !/^\p{Lu}/u.test(text.slice(from + word[0].length))) return 0;
  const title = (word[1] ?? "").toLowerCase();
  return honorifics.has(title) || (word[2] === "." && ranks.has(title)) ? word[0].length : 0;
}
