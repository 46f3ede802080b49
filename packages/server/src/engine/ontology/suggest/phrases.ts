/** Cuts a tagged sentence into noun phrases, verbs and the small words between them. */
import { mayBeginCompound, tagMistakenNouns } from "./mistaken-nouns.ts";
import { isPropertyNoun } from "./property-words.ts";
import type { TaggedWord } from "./tagged-word.ts";
import { isPlural, singular } from "./word-forms.ts";

export interface NounPhrase {
  readonly kind: "noun";
  /** What may be part of a type's name, in small letters: nouns, and adjectives that tell kinds apart; the head last. */
  readonly words: readonly string[];
  /** Singular, small letters. */
  readonly head: string;
  readonly isPlural: boolean;
  /** "a", "each", "their", …; null without one. */
  readonly determiner: string | null;
  /** A pronoun, or a name of one thing: it stands for nothing that could be a type. */
  readonly isReference: boolean;
}

export interface VerbPhrase {
  readonly kind: "verb";
  /** Of the last verb: "write", "be". */
  readonly lemma: string;
  /** The last verb as it stands, in small letters. */
  readonly surface: string;
  readonly isPassive: boolean;
  readonly isNegated: boolean;
  /** "to track": an infinitive, whose subject stands elsewhere. */
  readonly isInfinitive: boolean;
  readonly isGerund: boolean;
}

export type Phrase =
  | NounPhrase
  | VerbPhrase
  | { readonly kind: "preposition" | "relative" | "adjective" | "adverb"; readonly word: string }
  | { readonly kind: "and" | "comma" | "possessive" | "break" };

/** Linear in the number of words. */
export function findPhrases(tagged: readonly TaggedWord[]): readonly Phrase[] {
  const words = tagMistakenNouns(tagged);
  const found: Phrase[] = [];
  let at = 0;
  while (at < words.length) {
    const { phrase, to } = phraseAt(words, at, found.at(-1));
    if (phrase !== null) found.push(phrase);
    at = Math.max(to, at + 1);
  }
  return found;
}

interface Read {
  readonly phrase: Phrase | null;
  readonly to: number;
}

const RELATIVES: ReadonlySet<string> = new Set(["who", "which", "that", "whom", "whose", "where"]);
const CONJUNCTIONS: ReadonlySet<string> = new Set(["and", "or", "&", "plus"]);
const POSSESSIVES: ReadonlySet<string> = new Set(["their", "its", "his", "her", "our", "my", "your"]);

function phraseAt(words: readonly TaggedWord[], at: number, previous: Phrase | undefined): Read {
  const word = words[at];
  if (word === undefined) return { phrase: null, to: at + 1 };
  const { lower, tag } = word;
  const small = (phrase: Phrase): Read => ({ phrase, to: at + 1 });
  if (lower === "," || lower === "/") return small({ kind: "comma" });
  if (CONJUNCTIONS.has(lower)) return small({ kind: "and" });
  if (lower === "'s" || lower === "’s" || lower === "'" || lower === "’")
    return small({ kind: "possessive" });
  if (lower === "as" && words[at + 1]?.lower === "well") return { phrase: { kind: "and" }, to: at + 3 };
  if (lower === "such" && words[at + 1]?.lower === "as")
    return { phrase: { kind: "preposition", word: "such as" }, to: at + 2 };
  if (RELATIVES.has(lower) && previous?.kind !== "verb" && previous?.kind !== "preposition" && at > 0)
    return small({ kind: "relative", word: lower });
  if (isVerbAt(words, at)) return readVerb(words, at);
  const noun = readNoun(words, at);
  if (noun !== null) return noun;
  if (tag === "ADP" || lower === "to") return small({ kind: "preposition", word: lower });
  if (tag === "ADJ") return small({ kind: "adjective", word: lower });
  if (tag === "ADV" || tag === "PART") return small({ kind: "adverb", word: lower });
  if (tag === "PUNCT" || tag === "SYM" || tag === "SCONJ" || tag === "CCONJ") return small({ kind: "break" });
  return { phrase: null, to: at + 1 };
}

function isVerbAt(words: readonly TaggedWord[], at: number): boolean {
  const word = words[at];
  if (word === undefined) return false;
  if (word.tag === "AUX") return true;
  if (word.tag === "VERB") return !isModifier(words, at);
  const next = words[at + 1];
  return word.lower === "to" && (next?.tag === "VERB" || next?.tag === "AUX");
}

/** "published articles" after an article: the participle is an adjective. */
function isModifier(words: readonly TaggedWord[], at: number): boolean {
  const [before, word, next, after] = [words[at - 1], words[at], words[at + 1], words[at + 2]];
  if (word === undefined || next === undefined || !(word.lower.endsWith("ed") || isIngForm(word)))
    return false;
  if (next.tag !== "NOUN" && next.tag !== "PROPN") return false;
  // "shipping companies own vessels"
  const isKind = isIngForm(word) && isPlural(next.lower);
  if (isKind && (after?.tag === "VERB" || (before?.tag === "VERB" && !before.lower.endsWith("ing"))))
    return true;
  return before !== undefined && (before.tag === "DET" || before.tag === "ADJ" || before.tag === "NUM");
}

const NEGATIONS: ReadonlySet<string> = new Set(["not", "n't", "never", "cannot"]);
const IRREGULAR_PARTICIPLES =
  /^(?:\w{1,60}(?:ed|en|wn|ught|elt|ept|aid|old|ade)|made|held|led|built|sent|set|put|run|read|cut|met|kept|found|won|paid|sung|sold|told|bought|taught|born|done|gone|heard|said|lost|left|understood|stood|felt|dealt|lent|spent|bent|hit|shut|paid|bound|fed|bred|brought|hung|struck|spun|swept|lit|shot)$/;

function readVerb(words: readonly TaggedWord[], from: number): Read {
  let to = from;
  let head = -1;
  const auxiliaries: TaggedWord[] = [];
  const isInfinitive = words[from]?.lower === "to";
  for (let word = words[to]; word !== undefined; word = words[++to]) {
    if (word.tag === "AUX" || (word.tag === "VERB" && !isModifier(words, to))) {
      const earlier = words[head];
      if (earlier !== undefined) auxiliaries.push(earlier);
      head = to;
    } else if (word.tag !== "ADV" && word.tag !== "PART" && !NEGATIONS.has(word.lower)) break;
    // "to" after the head begins another verb: "want to track" is read as tracking.
    else if (word.lower === "to" && !/^(?:VERB|AUX)$/.test(words[to + 1]?.tag ?? "")) break;
  }
  const verb = words[head];
  if (verb === undefined) return { phrase: null, to: Math.max(to, from + 1) };
  const isPassive = auxiliaries.some(isBe) && !verb.lower.endsWith("ing") && isParticiple(verb);
  const read = words.slice(from, head + 1);
  const phrase: VerbPhrase = {
    kind: "verb",
    lemma: isBe(verb) ? "be" : lemmaOf(verb),
    surface: verb.lower,
    isPassive,
    isNegated: read.some(({ lower }) => NEGATIONS.has(lower)),
    isInfinitive,
    isGerund: auxiliaries.length === 0 && isIngForm(verb),
  };
  return { phrase, to: head + 1 };
}

const PLAIN_ING: ReadonlySet<string> = new Set(
  "bring sing ring spring swing string sting cling fling wring".split(" "),
);

/** "tracking", but not "bring". */
function isIngForm({ lower }: TaggedWord): boolean {
  return lower.endsWith("ing") && !PLAIN_ING.has(lower);
}

function isBe({ lemma, lower }: TaggedWord): boolean {
  return lemma === "be" || /^(?:is|are|was|were|be|been|being|'re|'m)$/.test(lower);
}

export function isParticiple({ lower }: { readonly lower: string }): boolean {
  return IRREGULAR_PARTICIPLES.test(lower);
}

/** The tagger leaves some participles as they are. */
function lemmaOf({ lemma, lower }: TaggedWord): string {
  if (lemma === "have" || lower === "has" || lower === "had") return "have";
  return lemma;
}

const PRONOUNS: ReadonlySet<string> = new Set(
  "i we you he she it they me us him them who what everyone someone anyone each both all one ones others".split(
    " ",
  ),
);

/** Adjectives of this form tell kinds apart ("clinical trial"), those of the list only how many or how good. */
const KIND_ADJECTIVE = /(?:ical|ial|inal|ural|onal|ental|egal|ocal|oral|ntal|ary|ic|ular|ese)$/;
const NO_KIND: ReadonlySet<string> = new Set(
  (
    "several typical individual specific basic additional original final total actual general special initial internal " +
    "external global local essential potential crucial partial similar particular regular popular various public " +
    "primary necessary temporary contemporary real overall central critical ideal normal usual natural historical historic " +
    "logical practical automatic dynamic realistic secondary ordinary professional traditional optional national " +
    "international regional personal substantial unusual relevant"
  ).split(" "),
);

function readNoun(words: readonly TaggedWord[], from: number): Read | null {
  const first = words[from];
  if (first === undefined) return null;
  if (first.tag === "PRON" && !POSSESSIVES.has(first.lower)) {
    return PRONOUNS.has(first.lower) ? { phrase: reference(first.lower), to: from + 1 } : null;
  }
  let at = from;
  let determiner: string | null = null;
  const named: TaggedWord[] = [];
  let head: TaggedWord | null = null;
  let end = from;
  for (let word = words[at]; word !== undefined; word = words[++at]) {
    const isNoun = isNounTag(word);
    if (head !== null && !isNoun && !(word.text === "-" && isNounTag(words[at + 1]))) break;
    if (isNoun) {
      // "which measures cities take": no compound begins with a plural, but for a few.
      if (head !== null && isPlural(head.lower) && !mayBeginCompound(head.lower) && isPlural(word.lower))
        break;
      named.push(word);
      head = word;
      end = at + 1;
    } else if (word.tag === "VERB" && isModifier(words, at) && word.lower.endsWith("ing")) named.push(word);
    else if (word.tag === "DET" || POSSESSIVES.has(word.lower)) determiner ??= word.lower;
    else if (word.tag === "ADJ") {
      if (KIND_ADJECTIVE.test(word.lower) && !NO_KIND.has(word.lower)) named.push(word);
    } else if (word.tag !== "NUM" && word.tag !== "VERB" && word.text !== "-") break;
    else if (word.tag === "VERB" && !isModifier(words, at)) break;
  }
  // "a vintage,": what an article introduces is a noun, whatever the tagger says.
  const lone = words[at - 1];
  if (head === null && determiner !== null && lone?.tag === "ADJ" && at > from + 1) {
    return { phrase: nounPhrase([lone], determiner), to: at };
  }
  if (head === null) return null;
  // "a closing date": an adjective tells properties apart.
  const [only] = named;
  const before = words[words.indexOf(head) - 1];
  const isTold = named.length === 1 && before?.tag === "ADJ" && isPropertyNoun(singular(head.lower));
  if (only !== undefined && before !== undefined && isTold && !NO_KIND.has(before.lower))
    named.unshift(before);
  return { phrase: nounPhrase(named, determiner), to: end };
}

function isNounTag(word: TaggedWord | undefined): boolean {
  return (
    word !== undefined &&
    (/^(?:NOUN|PROPN)$/.test(word.tag) || (word.tag === "X" && /^\p{L}/u.test(word.lower)))
  );
}

const MAX_TYPE_WORDS = 4;

function nounPhrase(named: readonly TaggedWord[], determiner: string | null): NounPhrase {
  const words = named.slice(-MAX_TYPE_WORDS).map(({ lower }) => lower);
  const last = named.at(-1);
  const head = last?.lower ?? "";
  const counts = determiner !== null && /^(?:an?|each|every|which|what|any|all|many|some)$/.test(determiner);
  // A capital inside of a sentence: "Customers" is a kind, "Ada" is somebody.
  const isName = named.every(({ tag }) => tag === "PROPN") && !isPlural(head) && !counts;
  return {
    kind: "noun",
    words: [...words.slice(0, -1), singular(head)],
    head: singular(head),
    isPlural: isPlural(head),
    determiner,
    isReference: isName,
  };
}

function reference(word: string): NounPhrase {
  return { kind: "noun", words: [word], head: word, isPlural: false, determiner: null, isReference: true };
}
