/** Finds base noun phrases by their parts of speech. */

import { isCapitalised, type TaggedToken, type TokenRange } from "./tagged-token.ts";

export interface NounPhrases {
  readonly phrases: readonly TokenRange[];
  /** For each token the index of its phrase, −1 where it is in none. */
  readonly phraseOf: Int32Array;
}

const heads = new Set(["NOUN", "PROPN", "PRON", "NUM", "SYM", "X"]);
const members = new Set(["DET", "ADJ", "NOUN", "PROPN", "NUM", "SYM", "X"]);
const possessives = new Set(["his", "her", "its", "their", "my", "our", "your"]);
const relatives = new Set(["who", "which", "that", "whom", "whose", "what", "where", "when"]);
const standAlone = new Set(["this", "these", "those", "some", "many", "all", "each", "both"]);

export function findNounPhrases(tokens: readonly TaggedToken[]): NounPhrases {
  const phrases: TokenRange[] = [];
  const phraseOf = new Int32Array(tokens.length).fill(-1);
  let at = 0;
  while (at < tokens.length) {
    const to = endOfPhrase(tokens, at);
    if (to === at) {
      at += 1;
      continue;
    }
    phraseOf.fill(phrases.length, at, to);
    phrases.push({ from: at, to });
    at = to;
  }
  return { phrases, phraseOf };
}

function endOfPhrase(tokens: readonly TaggedToken[], from: number): number {
  const first = tokens[from];
  if (first === undefined) return from;
  const isPossessive = possessives.has(first.lower);
  if (first.tag === "PRON" && !isPossessive) return relatives.has(first.lower) ? from : from + 1;
  if (!members.has(first.tag) && !isPossessive && first.text !== "$" && first.text !== "%") return from;
  let to = from;
  while (to < tokens.length && continues(tokens, from, to)) to++;
  while (to > from && !isHead(tokens[to - 1])) to--;
  if (to === from && standAlone.has(first.lower)) return from + 1;
  return to;
}

function isHead(token: TaggedToken | undefined): boolean {
  return token !== undefined && (heads.has(token.tag) || token.text === "%");
}

function continues(tokens: readonly TaggedToken[], from: number, at: number): boolean {
  const token = tokens[at];
  if (token === undefined) return false;
  const next = tokens[at + 1];
  const previous = at > from ? tokens[at - 1] : undefined;
  if (at === from + 1 && isYearBefore(tokens, from, token)) return false;
  if (token.tag === "DET" && previous !== undefined)
    return mayPrecedeDeterminer(previous) || opensTitle(token, previous, next);
  if (members.has(token.tag)) return true;
  if (previous === undefined) return possessives.has(token.lower) || token.text === "$";
  if (token.lower === "'s" || token.lower === "'" || token.text === "%" || token.text === "$") return true;
  if (token.text === "-" || token.text === "/") return true;
  if (token.tag === "ADV") return next?.tag === "ADJ";
  if (token.tag !== "VERB") return false;
  // A verb within a name ("Gone Girl") or as an adjective ("a moving picture").
  if (isCapitalised(token) && previous.tag === "PROPN") return true;
  const isModifier = next?.tag === "NOUN" || next?.tag === "PROPN";
  if (!isModifier || !/(?:ing|ed)$/.test(token.lower)) return false;
  // "a 2010 Japanese animated film", but not "The BBC reported losses".
  const isIndefinite = /^an?$/.test(tokens[from]?.lower ?? "") && /^(?:PROPN|NUM)$/.test(previous.tag);
  return isIndefinite || previous.tag === "DET" || previous.tag === "ADJ";
}

const openings = new Set(["in", "since", "from", "until", "by", "during", "before", "after"]);
const YEAR = /^(?:1\d|20)\d\d$/;

/** At the beginning of a sentence: "In 1999 Ada Holt …", "From 1980 to 1999 Ada Holt …", but not "at 1600 Broad Street". */
function isYearBefore(tokens: readonly TaggedToken[], from: number, next: TaggedToken): boolean {
  if (next.tag !== "PROPN" || !YEAR.test(tokens[from]?.text ?? "")) return false;
  const isRange = from === 3 && /^(?:to|and|until)$/.test(tokens[2]?.lower ?? "");
  const isOpening = isRange ? YEAR.test(tokens[1]?.text ?? "") : from === 1;
  return isOpening && (openings.has(tokens[0]?.lower ?? "") || tokens[0]?.lower === "between");
}

/** "the novel The Silver Weir". */
function opensTitle(token: TaggedToken, previous: TaggedToken, next: TaggedToken | undefined): boolean {
  const isLarge = isCapitalised(token) && next !== undefined && isCapitalised(next);
  return isLarge && previous.tag === "NOUN";
}

function mayPrecedeDeterminer(token: TaggedToken): boolean {
  return token.lower === "'s" || token.lower === "all" || token.lower === "both" || token.lower === "half";
}

/** Where the phrase ends together with the "of …" phrases that follow it. */
export function endWithOf(tokens: readonly TaggedToken[], nouns: NounPhrases, phrase: number): number {
  let end = nouns.phrases[phrase]?.to ?? 0;
  for (let steps = 0; steps < 6 && tokens[end]?.lower === "of"; steps++) {
    const next = phraseAt(nouns, end + 1);
    if (next === null) break;
    end = next.to;
  }
  return end;
}

/** Where a list goes on behind what is told of one name in it, "A (in his first part), B" or "A as Bill, B"; `at` where nothing is. */
export function endOfAside(tokens: readonly TaggedToken[], at: number): number {
  const isRole = tokens[at]?.lower === "as";
  if (!isRole && tokens[at]?.text !== "(") return at;
  const end = tokens.findIndex(
    ({ text, tag }, place) =>
      place > at && (isRole ? tag === "CCONJ" || /^[,;.()]$/.test(text) : text === ")"),
  );
  const goesOn =
    isRole && tokens.slice(at + 1, Math.max(at, end)).some(({ tag }) => /^(?:VERB|ADP)$/.test(tag));
  return end < 0 || goesOn ? at : isRole ? end : end + 1;
}

/** The phrase that begins at this token. */
export function phraseAt(nouns: NounPhrases, token: number): TokenRange | null {
  const index = nouns.phraseOf[token] ?? -1;
  const phrase = index < 0 ? undefined : nouns.phrases[index];
  return phrase?.from === token ? phrase : null;
}
