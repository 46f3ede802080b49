/** What stands around the mentions of a sentence: the words before and after each, and between two. */

import { findNounPhrases } from "../statements/noun-phrases.ts";
import { isFormOfBe, isNegation, type TaggedToken, type TokenRange } from "../statements/tagged-token.ts";
import { findUnsettledParts } from "../statements/unsettled-parts.ts";
import { findSubject, findVerbGroups, isVerb } from "../statements/verb-groups.ts";
import { createStateReader } from "../types/word-states.ts";
import type { RelationSentence, TypedMention } from "./relation-types.ts";
import { isContentWord, type Stem } from "./word-forms.ts";

export interface ContextWord {
  readonly lemma: string;
  /** Stems of the lemma and of the word as written. */
  readonly stems: readonly [string, string];
  readonly isVerb: boolean;
  readonly isNoun: boolean;
  readonly at: number;
}

/** The words before and after a mention, the nearest first; lists ("A, B and o") are stepped over. */
export interface MentionContext {
  readonly before: readonly ContextWord[];
  readonly after: readonly ContextWord[];
  /** The word right before, "" at the beginning; articles and quotation marks are stepped over. */
  readonly preposition: string;
  /** How many members of a list were stepped over. */
  readonly listed: number;
}

export interface BetweenContext {
  readonly words: readonly ContextWord[];
  readonly tokens: number;
  readonly mentions: number;
  readonly verbs: number;
  readonly commas: number;
  readonly hasSemicolon: boolean;
  readonly isCopula: boolean;
  readonly isNegated: boolean;
}

/** The group of verbs that a mention is subject of or stands behind. */
export interface VerbFrame extends TokenRange {
  readonly head: ContextWord;
  /** Range of tokens of the subject. */
  readonly subject: TokenRange | null;
}

export interface SentenceView {
  readonly sentence: RelationSentence;
  readonly tokens: readonly TaggedToken[];
  readonly mentions: readonly TypedMention[];
  /** For each token the whole name, date or amount that it is part of, −1 without. */
  readonly cover: Int32Array;
  readonly frames: readonly VerbFrame[];
  readonly firstVerb: number;
  /** As `findUnsettledParts` gives them. */
  readonly unsettled: Uint8Array;
  /** "He", "Its", "The company" at the beginning: stands for somebody named before. null without. */
  readonly openingPronoun: TokenRange | null;
  contextOf(mention: number): MentionContext;
  contextAt(range: TokenRange): MentionContext;
  /** Words within a mention. */
  wordsOf(mention: number): readonly ContextWord[];
  between(first: TokenRange, second: TokenRange): BetweenContext;
  /** What the model makes of these tokens in this sentence: unit mean of their states, less the language's mean. */
  stateOf(range: TokenRange): Float32Array;
}

const REACH = { before: 6, after: 5, list: 10 };

export function viewSentence(sentence: RelationSentence, stem: Stem, mean: Float32Array): SentenceView {
  const { tokens, mentions } = sentence;
  const cover = coverOf(tokens, mentions);
  const contexts = new Map<number, MentionContext>();
  const words = tokens.map((token, at) => toWord(token, at, stem));
  const base = { tokens, mentions, cover, words };
  const firstVerb = tokens.findIndex((token, at) => isVerb(token) && (cover[at] ?? -1) < 0);
  return {
    sentence,
    tokens,
    mentions,
    cover,
    frames: framesOf(base),
    firstVerb: firstVerb < 0 ? tokens.length : firstVerb,
    unsettled: findUnsettledParts(tokens),
    openingPronoun: findOpeningPronoun(tokens),
    contextOf(mention) {
      let context = contexts.get(mention);
      if (context === undefined) {
        const range = mentions[mention] ?? { from: 0, to: 0 };
        context = contextOf(base, range);
        contexts.set(mention, context);
      }
      return context;
    },
    contextAt: (range) => contextOf(base, range),
    wordsOf(mention) {
      const range = mentions[mention] ?? { from: 0, to: 0 };
      return words.slice(range.from, range.to);
    },
    stateOf: createStateReader(tokens, { states: sentence.encoded, offset: sentence.offset, mean }),
    between: (first, second) => betweenOf(base, first, second),
  };
}

interface Words {
  readonly tokens: readonly TaggedToken[];
  readonly mentions: readonly TypedMention[];
  readonly cover: Int32Array;
  readonly words: readonly ContextWord[];
}

function toWord(token: TaggedToken, at: number, stem: Stem): ContextWord {
  return {
    lemma: token.lemma,
    stems: [stem(token.lemma), stem(token.lower)],
    isVerb: token.tag === "VERB",
    isNoun: token.tag === "NOUN" || token.tag === "ADJ",
    at,
  };
}

function coverOf(tokens: readonly TaggedToken[], mentions: readonly TypedMention[]): Int32Array {
  const cover = new Int32Array(tokens.length).fill(-1);
  for (const [index, mention] of mentions.entries()) {
    if (mention.kind === "noun" || mention.variantOf !== null) continue;
    for (let at = mention.from; at < mention.to; at++) if (cover[at] === -1) cover[at] = index;
  }
  return cover;
}

const pronouns = /^(?:it|he|she|they|his|her|its|their)$/;

function findOpeningPronoun(tokens: readonly TaggedToken[]): TokenRange | null {
  const first = tokens[0];
  const second = tokens[1];
  if (first === undefined) return null;
  if (pronouns.test(first.lower)) return { from: 0, to: 1 };
  const isDefinite = first.lower === "the" || first.lower === "this";
  const isPlain = second?.tag === "NOUN" && second.text === second.lower;
  // "The film of X": told apart by what follows.
  return isDefinite && isPlain && tokens[2]?.lower !== "of" ? { from: 0, to: 2 } : null;
}

const skipped = /^["“”‘’'`()*]$|^(?:the|a|an)$/;
const joins = /^(?:,|and|or|&)$/;

function contextOf({ tokens, cover, words }: Words, range: TokenRange): MentionContext {
  const isCovered = (at: number) => (cover[at] ?? -1) >= 0;
  const { at: start, listed } = beforeList(tokens, isCovered, range.from - 1);
  const before: ContextWord[] = [];
  for (let at = start; at >= 0 && before.length < REACH.before; at--) {
    const token = tokens[at];
    const word = words[at];
    if (token === undefined || word === undefined) break;
    const hasHead = before.some((one) => one.isVerb || one.isNoun);
    if (hasHead && (isCovered(at) || /^[,;:(]$/.test(token.text))) break;
    if (isCovered(at) || skipped.test(token.lower) || token.tag === "PUNCT") continue;
    if (isContentWord(word.lemma) || token.tag === "ADP") before.push(word);
  }
  const after: ContextWord[] = [];
  for (let at = range.to; at < tokens.length && after.length < REACH.after; at++) {
    const token = tokens[at];
    const word = words[at];
    if (token === undefined || word === undefined || isCovered(at)) break;
    if (/^[,;.]$/.test(token.text) && after.length > 1) break;
    if (token.tag !== "PUNCT" && isContentWord(word.lemma)) after.push(word);
  }
  return { before, after, preposition: wordBefore(tokens, start), listed };
}

function wordBefore(tokens: readonly TaggedToken[], from: number): string {
  let at = from;
  while (at >= 0 && skipped.test(tokens[at]?.lower ?? "") && tokens[at]?.text !== "(") at--;
  return tokens[at]?.lower ?? "";
}

/** From the comma or "and" before a mention back to what stands before the first member of its list. */
function beforeList(tokens: readonly TaggedToken[], isCovered: (at: number) => boolean, from: number) {
  let at = from;
  let listed = 0;
  while (listed < REACH.list) {
    while (at >= 0 && skipped.test(tokens[at]?.lower ?? "")) at--;
    let left = at;
    while (left >= 0 && joins.test(tokens[left]?.lower ?? "")) left--;
    if (left === at) break;
    // "A (as B), C": the brackets belong to the member before.
    if (tokens[left]?.text === ")") {
      while (left >= 0 && tokens[left]?.text !== "(") left--;
      left--;
    }
    while (left >= 0 && /^["“”]$/.test(tokens[left]?.text ?? "")) left--;
    if (!isCovered(left)) break;
    while (left >= 0 && isCovered(left)) left--;
    at = left;
    listed++;
  }
  return { at, listed };
}

function betweenOf({ tokens, cover, words }: Words, first: TokenRange, second: TokenRange): BetweenContext {
  const from = Math.min(first.to, second.to);
  const to = Math.max(first.from, second.from);
  const seen = new Set<number>();
  const found: ContextWord[] = [];
  const counts = { verbs: 0, commas: 0, hasSemicolon: false, isNegated: false, hasBe: false };
  for (let at = from; at < to; at++) {
    const token = tokens[at];
    const word = words[at];
    if (token === undefined || word === undefined) continue;
    const covering = cover[at] ?? -1;
    if (covering >= 0) seen.add(covering);
    if (token.tag === "VERB") counts.verbs++;
    if (token.text === ",") counts.commas++;
    if (token.text === ";" || token.text === ":") counts.hasSemicolon = true;
    if (isNegation(token)) counts.isNegated = true;
    if (isFormOfBe(token) || token.lemma === "become") counts.hasBe = true;
    const isKept =
      covering < 0 && token.tag !== "PUNCT" && (isContentWord(word.lemma) || token.tag === "ADP");
    if (isKept) found.push(word);
  }
  // Of a long stretch its ends, where what joins the two stands.
  const kept = found.length > 14 ? [...found.slice(0, 6), ...found.slice(-8)] : found;
  return {
    words: kept,
    tokens: Math.max(0, to - from),
    mentions: seen.size,
    verbs: counts.verbs,
    commas: counts.commas,
    hasSemicolon: counts.hasSemicolon,
    isCopula: counts.hasBe && counts.verbs === 0 && to - from < 14,
    isNegated: counts.isNegated,
  };
}

function framesOf({ tokens, words }: Words): readonly VerbFrame[] {
  const nouns = findNounPhrases(tokens);
  const frames: VerbFrame[] = [];
  let previous: { subject: number; end: number } | null = null;
  for (const group of findVerbGroups(tokens, nouns)) {
    const head = words[group.head];
    if (head === undefined) continue;
    const subject = findSubject({ tokens, nouns, previous }, group);
    if (subject >= 0) previous = { subject, end: group.to };
    const phrase = nouns.phrases[subject] ?? null;
    frames.push({ from: group.from, to: group.to, head, subject: phrase });
  }
  return frames;
}
