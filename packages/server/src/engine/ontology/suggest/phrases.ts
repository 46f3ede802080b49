/** Cuts a tagged sentence into noun phrases, verbs and the small words between them. */

import {
  isBe,
  isIngForm,
  isModifier,
  isNounTag,
  isParticiple,
  mayBeginCompound,
  mendTags,
} from "./mend-tags.ts";
import type { TaggedWord } from "./tagged-word.ts";
import { isInvariable, isPlural, singular } from "./word-forms.ts";

export interface NounPhrase {
  readonly kind: "noun";
  /** What can be part of a type's name, in small letters: nouns, and adjectives that name kinds; the head last, in the singular. */
  readonly words: readonly string[];
  /** The words before `words`: "insured" of "the insured value". */
  readonly qualifiers: readonly string[];
  /** Singular, small letters. */
  readonly head: string;
  readonly isPlural: boolean;
  /** "a", "each", "their", "two", …; null without one. */
  readonly determiner: string | null;
  /** A pronoun, or a name of one thing. */
  readonly isReference: boolean;
}

export interface VerbPhrase {
  readonly kind: "verb";
  /** Of the last verb: "write", "be". */
  readonly lemma: string;
  /** The last verb as it stands, in small letters. */
  readonly surface: string;
  /** "out" of "carry out", or "". */
  readonly particle: string;
  readonly isPassive: boolean;
  readonly isNegated: boolean;
  /** "to track": an infinitive, whose subject stands elsewhere. */
  readonly isInfinitive: boolean;
  readonly isGerund: boolean;
  /** "be", "have", "do", "can": may be one half of a verb whose subject stands between. */
  readonly isAuxiliary: boolean;
}

export type Phrase =
  | NounPhrase
  | VerbPhrase
  | { readonly kind: "preposition" | "relative" | "adjective" | "adverb"; readonly word: string }
  | { readonly kind: "and" | "comma" | "possessive" | "break" };

/** Linear in the number of words. */
export function findPhrases(tagged: readonly TaggedWord[]): readonly Phrase[] {
  const words = mendTags(joinHyphens(tagged.filter((_, at) => !isFiller(tagged, at))));
  const found: Phrase[] = [];
  let at = 0;
  while (at < words.length) {
    const { phrase, to } = phraseAt(words, at, found.at(-1));
    if (phrase !== null) found.push(phrase.kind === "noun" ? withDeterminer(phrase, found) : phrase);
    at = Math.max(to, at + 1);
  }
  return found;
}

/** "the ship's crew" is definite, and in "which port and pier" both are asked for. */
function withDeterminer(noun: NounPhrase, before: readonly Phrase[]): NounPhrase {
  if (noun.determiner !== null || noun.isReference || noun.isPlural) return noun;
  const [second, last] = [before.at(-2), before.at(-1)];
  if (last?.kind === "possessive") return { ...noun, determiner: "the" };
  return last?.kind === "and" && second?.kind === "noun" ? { ...noun, determiner: second.determiner } : noun;
}

/** "code-share" is one word. */
function joinHyphens(words: readonly TaggedWord[]): readonly TaggedWord[] {
  const joined: TaggedWord[] = [];
  for (const word of words) {
    const [second, last] = [joined.at(-2), joined.at(-1)];
    if (last?.text !== "-" || second?.end !== last.start || last.end !== word.start) joined.push(word);
    else {
      const [text, lower] = [`${second.text}-${word.text}`, `${second.lower}-${word.lower}`];
      joined.splice(-2, 2, {
        ...word,
        text,
        lower,
        lemma: `${second.lower}-${word.lemma}`,
        start: second.start,
      });
    }
  }
  return joined;
}

/** "one or" of "one or more" counts nothing. */
function isFiller(words: readonly TaggedWord[], at: number): boolean {
  const isOr = (place: number) =>
    words[place]?.lower === "or" && /^(?:more|several|many|two)$/.test(words[place + 1]?.lower ?? "");
  return (words[at]?.lower === "one" && isOr(at + 1)) || (isOr(at) && words[at - 1]?.lower === "one");
}

interface Read {
  readonly phrase: Phrase | null;
  readonly to: number;
}

const CONJUNCTIONS: ReadonlySet<string> = new Set(["and", "or", "&", "plus", "+"]);
const POSSESSIVES: ReadonlySet<string> = new Set([
  "their",
  "its",
  "his",
  "her",
  "our",
  "my",
  "your",
  "whose",
]);
/** "and to which plant": stand for one word. */
const IDIOMS: readonly (readonly [words: readonly string[], phrase: Phrase])[] = [
  [["as", "well", "as"], { kind: "and" }],
  [["such", "as"], { kind: "preposition", word: "such as" }],
  [["on", "behalf", "of"], { kind: "preposition", word: "on behalf of" }],
  [["next", "to"], { kind: "preposition", word: "next to" }],
];

function phraseAt(words: readonly TaggedWord[], at: number, previous: Phrase | undefined): Read {
  const word = words[at];
  if (word === undefined) return { phrase: null, to: at + 1 };
  const { lower, tag } = word;
  const small = (phrase: Phrase): Read => ({ phrase, to: at + 1 });
  if (lower === "," || lower === "/") return small({ kind: "comma" });
  if (CONJUNCTIONS.has(lower)) return small({ kind: "and" });
  if (/^['’]s?$/.test(lower) && tag !== "AUX") return small({ kind: "possessive" });
  for (const [idiom, phrase] of IDIOMS)
    if (idiom.every((part, place) => words[at + place]?.lower === part))
      return { phrase, to: at + idiom.length };
  const pronoun = readWho(words, at, previous);
  if (pronoun !== null) return pronoun;
  if (isVerbAt(words, at)) return readVerb(words, at);
  const noun = readPartitive(words, at) ?? readNoun(words, at);
  if (noun !== null) return noun;
  if (tag === "ADP" || lower === "to") return small({ kind: "preposition", word: lower });
  if (tag === "ADJ") return small({ kind: "adjective", word: lower });
  if (tag === "ADV" || tag === "PART") return small({ kind: "adverb", word: lower });
  if (tag === "SCONJ" && /^(?:from|between|under|in|on|at|by|for|of|with|about|over)$/.test(lower))
    return small({ kind: "preposition", word: lower });
  if (tag === "PUNCT" || tag === "SYM" || tag === "SCONJ" || tag === "CCONJ") return small({ kind: "break" });
  return { phrase: null, to: at + 1 };
}

/** "who", "which", "that", "where" and "what": relative after a noun, else a pronoun; a determiner is left to the noun. */
function readWho(words: readonly TaggedWord[], at: number, previous: Phrase | undefined): Read | null {
  const word = words[at];
  const lower = word?.lower ?? "";
  if (!/^(?:who|whom|which|that|what|whose|where)$/.test(lower)) return null;
  const isAfterNoun = previous?.kind === "noun" && !isSpeaker(previous);
  const next = words[at + 1];
  if (lower === "where")
    return { phrase: isAfterNoun ? { kind: "relative", word: lower } : reference(lower), to: at + 1 };
  if (lower === "whose")
    return isAfterNoun ? { phrase: { kind: "relative", word: lower }, to: at + 1 } : null;
  if (/^wh(?:o|om)$/.test(lower)) {
    const isAsked = words.at(-1)?.text === "?" && previous?.kind === "comma";
    const isRelative = isAfterNoun || (previous?.kind === "comma" && !isAsked && at > 1);
    return { phrase: isRelative ? { kind: "relative", word: lower } : reference(lower), to: at + 1 };
  }
  if (lower === "that" && previous?.kind === "verb" && previous.lemma !== "be")
    return { phrase: { kind: "break" }, to: at + 1 };
  // "which companies": a determiner where a noun follows that no verb before asks for.
  const isDetermining = next !== undefined && /^(?:NOUN|PROPN|ADJ|NUM)$/.test(next.tag);
  if (isDetermining && lower !== "that" && !isAfterNoun) return null;
  if (
    isAfterNoun ||
    (previous?.kind === "comma" && lower === "which") ||
    (previous?.kind === "verb" && lower === "that")
  )
    return { phrase: { kind: "relative", word: lower }, to: at + 1 };
  return { phrase: reference(lower), to: at + 1 };
}

/** "some of them", "which of these" stand for what was named before, "one of our mills" for a mill. */
function readPartitive(words: readonly TaggedWord[], at: number): Read | null {
  if (!/^(?:DET|NUM|PRON|ADJ)$/.test(words[at]?.tag ?? "") && words[at]?.lower !== "which") return null;
  const of = words[at + 1]?.lower === "of" ? at + 1 : at + 2;
  if (words[of]?.lower !== "of") return null;
  if (/^(?:them|these|those|which|whom)$/.test(words[of + 1]?.lower ?? "")) {
    if (!isNounTag(words[of + 2])) return { phrase: reference("they"), to: of + 2 };
  }
  const named = of === at + 1 ? readNoun(words, of + 1) : null;
  if (named?.phrase?.kind !== "noun" || named.phrase.isReference) return null;
  return { phrase: { ...named.phrase, determiner: "one" }, to: named.to };
}

function isVerbAt(words: readonly TaggedWord[], at: number): boolean {
  const word = words[at];
  if (word === undefined) return false;
  if (word.tag === "AUX") return true;
  if (word.tag === "VERB") return !isModifier(words, at);
  const next = words[at + 1];
  return word.lower === "to" && ((next?.tag === "VERB" && !isModifier(words, at + 1)) || next?.tag === "AUX");
}

const NEGATIONS: ReadonlySet<string> = new Set(["not", "n't", "never", "cannot", "n’t"]);
const PARTICLES: ReadonlySet<string> = new Set("up out off down together away back apart along".split(" "));

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
    else if (head >= 0 && PARTICLES.has(word.lower)) break;
    // "to" after the head begins another verb: "want to track" is read as tracking.
    else if (word.lower === "to" && !/^(?:VERB|AUX)$/.test(words[to + 1]?.tag ?? "")) break;
  }
  const verb = words[head];
  if (verb === undefined) return { phrase: null, to: Math.max(to, from + 1) };
  const particle = PARTICLES.has(words[head + 1]?.lower ?? "") ? (words[head + 1]?.lower ?? "") : "";
  const last = auxiliaries.findLast((word) => word.tag === "AUX" || isBe(word) || word.lemma === "get");
  const isPassive =
    last !== undefined && (isBe(last) || last.lemma === "get") && !isIngForm(verb) && isParticiple(verb);
  const read = words.slice(from, head + 1);
  const phrase: VerbPhrase = {
    kind: "verb",
    lemma: isBe(verb) ? "be" : lemmaOf(verb),
    surface: verb.lower,
    particle,
    isPassive,
    isNegated: read.some(({ lower }) => NEGATIONS.has(lower)) || words[head + 1]?.lower === "not",
    isInfinitive,
    isGerund: auxiliaries.length === 0 && isIngForm(verb),
    isAuxiliary: read.every(
      ({ tag, lower }) => tag === "AUX" || /^(?:do|does|did|has|have|had|is|are|was|were)$/.test(lower),
    ),
  };
  return { phrase, to: head + (particle === "" ? 1 : 2) };
}

/** The tagger leaves some forms as they are. */
function lemmaOf({ lemma, lower }: TaggedWord): string {
  return lemma === "have" || lower === "has" || lower === "had" ? "have" : lemma;
}

const PRONOUNS: ReadonlySet<string> = new Set(
  (
    "i we you he she it they me us him them everyone someone anyone somebody nobody everybody anybody each both all one ones others " +
    "another these those this something everything nothing anything some there"
  ).split(" "),
);

/** Adjectives of this form name kinds ("clinical trial"), those of the list only how many or how good. */
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
  let at = from;
  let determiner: string | null = null;
  const read: TaggedWord[] = [];
  let isHeaded = false;
  for (let word = words[at]; word !== undefined; word = words[++at]) {
    const isNoun = isNounTag(word);
    if (isHeaded && !isNoun) break;
    if (isNoun) {
      // "which measures cities take": no compound begins with a plural, but for a few.
      if (isHeaded && endsPhrase(read.at(-1), word)) break;
      read.push(word);
      isHeaded = true;
    } else if (word.tag === "VERB" && isModifier(words, at)) read.push(word);
    else if (
      word.tag === "DET" ||
      word.tag === "NUM" ||
      POSSESSIVES.has(word.lower) ||
      /^wh(?:at|ich)$/.test(word.lower)
    ) {
      if (read.length > 0) break;
      determiner ??= word.lower;
    } else if (word.tag === "ADJ") read.push(word);
    else if (word.tag === "ADV" && determiner !== null && /^(?:NOUN|ADJ)$/.test(words[at + 1]?.tag ?? ""))
      continue;
    else if (
      word.tag === "PRON" &&
      isNounTag(words[at + 1]) &&
      /^(?:some|each|all|both|another|other|those|these|this|that)$/.test(word.lower)
    )
      determiner ??= word.lower;
    else break;
  }
  // "a vintage,": what an article introduces is a noun, whatever the tagger says.
  if (!isHeaded && determiner !== null && read.length > 0 && !/^(?:VERB|AUX)$/.test(words[at]?.tag ?? "")) {
    if (/^(?:other|same|following|more|next|last)$/.test(read.at(-1)?.lower ?? ""))
      return { phrase: reference("others"), to: at };
    return { phrase: nounPhrase(read, determiner), to: at };
  }
  if (isHeaded && /^others?$/.test(read.at(-1)?.lower ?? "")) return { phrase: reference("others"), to: at };
  if (isHeaded) return { phrase: nounPhrase(read, determiner), to: at };
  const pronoun = first.lower;
  return PRONOUNS.has(pronoun) ? { phrase: reference(pronoun), to: from + 1 } : null;
}

function endsPhrase(head: TaggedWord | undefined, next: TaggedWord): boolean {
  return head !== undefined && isPlural(head.lower) && !mayBeginCompound(head.lower) && isPlural(next.lower);
}

const MAX_TYPE_WORDS = 4;

function nounPhrase(read: readonly TaggedWord[], determiner: string | null): NounPhrase {
  const last = read.at(-1);
  // "MPs"
  const head = /^\p{Lu}{2,}s$/u.test(last?.text ?? "")
    ? (last?.lower ?? "").slice(0, -1)
    : (last?.lower ?? "");
  const isMany = isPlural(head) || head !== last?.lower || (determiner === null && isInvariable(head));
  const isNaming = (word: TaggedWord) =>
    isNounTag(word) ||
    word === last ||
    (word.tag === "VERB" && isIngForm(word)) ||
    (word.tag === "ADJ" && KIND_ADJECTIVE.test(word.lower) && !NO_KIND.has(word.lower));
  let start = read.length - 1;
  while (start > 0 && read.length - start < MAX_TYPE_WORDS && isNaming(read[start - 1]!)) start--;
  const lower = read.map((word) => word.lower);
  const isCounted =
    determiner !== null && /^(?:an?|each|every|which|what|any|all|many|some)$/.test(determiner);
  return {
    kind: "noun",
    words: [...lower.slice(start, -1), singular(head)],
    qualifiers: lower
      .slice(0, start)
      .filter((word) => !NO_KIND.has(word) && !/^(?:other|others|more|same|own)$/.test(word)),
    head: singular(head),
    isPlural: isMany,
    determiner:
      determiner ?? (lower.some((word) => /^(?:other|several|many|few)$/.test(word)) ? "other" : null),
    // A capital inside of a sentence: "Customers" is a kind, "Ada" is somebody.
    isReference:
      read.every(({ tag }) => tag === "PROPN") &&
      !isMany &&
      !isCounted &&
      !/^\p{Lu}+$/u.test(last?.text ?? ""),
  };
}

/** Whoever asks. */
export function isSpeaker({ isReference, head }: NounPhrase): boolean {
  return isReference && /^(?:i|we|you|us|me)$/.test(head);
}

/** A pronoun as a phrase. */
export function reference(word: string): NounPhrase {
  return {
    kind: "noun",
    words: [word],
    qualifiers: [],
    head: word,
    isPlural: false,
    determiner: null,
    isReference: true,
  };
}
