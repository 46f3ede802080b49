/** Produces the terms of compounds: of the entire compound, of its parts, and of its common spellings. */
import { CAPITAL_NAMES, type Compound } from "./compounds.ts";
import type { TermSink } from "./term-sink.ts";

/** Joiners that writers use or omit freely: `AB-1234`, `AB1234`; `get_name`, `getName`. */
const LOOSE_JOINERS = "-_':";
/** A joined number with fewer digits would be ambiguous: `10-12` is not `1012`. */
const JOINED_DIGITS = 6;

type WordsAndJoiners = Omit<Compound, "symbolForm">;

/** Adds the terms of a compound of at least two words; `indexedTerms` documents the rules. */
export function addCompound(compound: Compound, sink: TermSink): void {
  const { text, words, joiners } = withoutVersionMark(compound);
  const hasOnlyJoiners = (allowed: string) => [...joiners].every((joiner) => allowed.includes(joiner));
  const everyWord = (pattern: RegExp) => words.every((word) => pattern.test(word));
  if (hasOnlyJoiners(".,") && everyWord(/^\d+$/) && (joiners.has(",") || words.length === 2)) {
    sink.add(text.replaceAll(",", ""));
    return;
  }
  if (hasOnlyJoiners(".") && everyWord(/^\p{L}$/u)) {
    addInitials(words.join(""), sink);
    return;
  }
  // Two octets joined by a colon are a time of day or a ratio.
  if (!joiners.has(":") || words.length === 6)
    addJoined({ text, words, joiners }, hasOnlyJoiners(LOOSE_JOINERS), sink);
  for (const word of words) sink.addWord(word);
}

/** `v1.2.3` → `1.2.3` */
function withoutVersionMark({ text, words, joiners }: WordsAndJoiners): WordsAndJoiners {
  const [first = ""] = words;
  if (!joiners.has(".") || !/^v\d+$/.test(first)) return { text, words, joiners };
  return { text: text.slice(1), words: [first.slice(1), ...words.slice(1)], joiners };
}

function addInitials(word: string, sink: TermSink): void {
  if (CAPITAL_NAMES.has(word)) sink.addStemmed(word);
  else sink.addWord(word);
}

function addJoined(compound: WordsAndJoiners, isLoose: boolean, sink: TermSink): void {
  const { text, joiners } = compound;
  const joined = isLoose ? text.replaceAll(/[-_':]/g, "") : text;
  if (joined.length < JOINED_DIGITS && /^\d+$/.test(joined)) sink.add(text);
  else sink.addStemmed(joined.replaceAll(",", ""));
  if (joiners.has("@")) {
    for (const side of text.split("@")) if (/[^\p{L}\p{N}\p{M}]/u.test(side)) sink.add(side);
  }
  if (joiners.has(".")) addDottedParts(compound, sink);
}

/** `10.2` of `10.2.33`, `example.org` of `www.example.org`. */
function addDottedParts({ text, words }: WordsAndJoiners, sink: TermSink): void {
  if (words.length < 3) return;
  const beginning = words.slice(0, 2).join(".");
  if (/^\d+\.\d+$/.test(beginning) && text.startsWith(`${beginning}.`)) sink.addExtra(beginning);
  const ending = words.slice(-2).join(".");
  if (/\.\p{L}+$/u.test(ending) && text.endsWith(`.${ending}`)) sink.addExtra(ending);
}
