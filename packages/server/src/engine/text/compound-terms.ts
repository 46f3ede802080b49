/** Terms of words that are joined to one: whole, in parts, and in the ways that people write them. */
import { CAPITAL_NAMES, type Compound } from "./compounds.ts";
import type { TermSink } from "./term-sink.ts";

/** Signs that people put or leave out as they like: `AB-1234`, `AB1234`; `get_name`, `getName`. */
const LOOSE_JOINERS = "-_':";
/** A number of fewer digits stands for too many things: `10-12` is not `1012`. */
const JOINED_DIGITS = 6;

/** Adds the terms of a compound of at least two words; for the rules see `indexedTerms`. */
export function addCompound(compound: Compound, sink: TermSink): void {
  const { whole, words, joiners } = withoutVersionMark(compound);
  const only = (allowed: string) => [...joiners].every((joiner) => allowed.includes(joiner));
  const all = (pattern: RegExp) => words.every((word) => pattern.test(word));
  if (only(".,") && all(/^\d+$/) && (joiners.has(",") || words.length === 2)) {
    sink.add(whole.replaceAll(",", ""));
    return;
  }
  if (only(".") && all(/^\p{L}$/u)) {
    addInitials(words.join(""), sink);
    return;
  }
  // Two octets and a colon are a time of day or a ratio.
  if (!joiners.has(":") || words.length === 6) addWhole({ whole, words, joiners }, only(LOOSE_JOINERS), sink);
  for (const word of words) sink.addWord(word);
}

/** `v1.2.3` → `1.2.3` */
function withoutVersionMark({ whole, words, joiners }: Omit<Compound, "signed">): Omit<Compound, "signed"> {
  const [first = ""] = words;
  if (!joiners.has(".") || !/^v\d+$/.test(first)) return { whole, words, joiners };
  return { whole: whole.slice(1), words: [first.slice(1), ...words.slice(1)], joiners };
}

function addInitials(word: string, sink: TermSink): void {
  if (CAPITAL_NAMES.has(word)) sink.addStemmed(word);
  else sink.addWord(word);
}

function addWhole(compound: Omit<Compound, "signed">, isLoose: boolean, sink: TermSink): void {
  const { whole, joiners } = compound;
  const joined = isLoose ? whole.replaceAll(/[-_':]/g, "") : whole;
  if (joined.length < JOINED_DIGITS && /^\d+$/.test(joined)) sink.add(whole);
  else sink.addStemmed(joined.replaceAll(",", ""));
  if (joiners.has("@")) {
    for (const side of whole.split("@")) if (/[^\p{L}\p{N}\p{M}]/u.test(side)) sink.add(side);
  }
  if (joiners.has(".")) addDottedParts(compound, sink);
}

/** `10.2` of `10.2.33`, `example.org` of `www.example.org`. */
function addDottedParts({ whole, words }: Omit<Compound, "signed">, sink: TermSink): void {
  if (words.length < 3) return;
  const beginning = words.slice(0, 2).join(".");
  if (/^\d+\.\d+$/.test(beginning) && whole.startsWith(`${beginning}.`)) sink.addExtra(beginning);
  const ending = words.slice(-2).join(".");
  if (/\.\p{L}+$/u.test(ending) && whole.endsWith(`.${ending}`)) sink.addExtra(ending);
}
