/** What the whole text tells of its nouns: which are kinds of things, and which adjectives belong to their names. */
import { FRAMING_NOUNS, FRAMING_SUBJECTS, isPropertyNoun, SOFT_FRAMING_NOUNS } from "./framing-words.ts";
import { isParticiple } from "./mend-tags.ts";
import type { NounPhrase, Phrase } from "./phrase.ts";

export interface Corpus {
  /** What the noun is called: "adverse effect" where the text has no other effects. */
  nameOf(noun: NounPhrase): string;
  /** Whether it names a kind of things: "a ship", "ships", "the ship" where ships were introduced, but not "my ship". */
  isKind(noun: NounPhrase): boolean;
  /** A kind by its own form: "a ship", "ships". */
  isPlainKind(noun: NounPhrase): boolean;
  /** A kind that the text names in such a form, or in the plural, here or elsewhere. */
  isKnownKind(noun: NounPhrase): boolean;
  /** For "who" a person, for "where" a location. */
  standFor(noun: NounPhrase): NounPhrase;
}

/** Determiners of each word in prose; lists of keywords have fewer. */
const PROSE_SHARE = 0.06;

export function readCorpus(sentences: readonly (readonly Phrase[])[]): Corpus {
  const nouns = sentences.flat().filter((phrase) => phrase.kind === "noun");
  const named = nouns.filter(canBeType);
  const determined = nouns.filter(({ determiner }) => determiner !== null).length;
  const isProse = determined >= PROSE_SHARE * sentences.flat().length;
  const counts = new Map<string, { all: number; readonly byQualifier: Map<string, number> }>();
  for (const { words, qualifiers } of named) {
    const key = words.join(" ");
    const count = counts.get(key) ?? { all: 0, byQualifier: new Map() };
    const qualifier = qualifiers.at(-1) ?? "";
    count.all++;
    count.byQualifier.set(qualifier, (count.byQualifier.get(qualifier) ?? 0) + 1);
    counts.set(key, count);
  }
  const isPlainKind = (noun: NounPhrase) =>
    canBeType(noun) &&
    (isCounted(noun) || (!isProse && noun.determiner === null && !SOFT_FRAMING_NOUNS.has(noun.head))) &&
    !isOwn(noun);
  const kinds = new Set(named.filter(isPlainKind).map(({ head }) => head));
  const once = new Set<string>();
  const often = new Set<string>();
  for (const { head } of named) (once.has(head) ? often : once).add(head);
  const plurals = new Set(named.filter((noun) => noun.isPlural).map(({ head }) => head));
  return {
    nameOf({ words, qualifiers }) {
      const key = words.join(" ");
      const qualifier = qualifiers.at(-1) ?? "";
      const count = counts.get(key);
      const [only] = count?.byQualifier.keys() ?? [];
      const isConstant =
        only === qualifier &&
        count?.byQualifier.size === 1 &&
        (count.all >= 2 || !isParticiple({ lower: qualifier }));
      // "waste types"
      const isPair = qualifier !== "" && (isConstant || (words.length === 1 && isVague(key)));
      return isPair ? `${qualifier} ${key}` : key;
    },
    isKind: (noun) =>
      canBeType(noun) &&
      !isOwn(noun) &&
      (isPropertyNoun(noun.head)
        ? plurals.has(noun.head) || isAsked(noun) || /^(?:an?|each|every)$/.test(noun.determiner ?? "")
        : kinds.has(noun.head) || noun.determiner !== null || often.has(noun.head)),
    isPlainKind,
    isKnownKind: (noun) =>
      isPlainKind(noun) ||
      ((kinds.has(noun.head) || plurals.has(noun.head)) && canBeType(noun) && !isOwn(noun)),
    standFor(noun) {
      if (!noun.isReference || !/^wh(?:o|om|ere)$/.test(noun.head)) return noun;
      if (noun.head === "where") return plain("location");
      return plain("person");
    },
  };
}

function isVague(head: string): boolean {
  return isPropertyNoun(head) || FRAMING_NOUNS.has(head) || SOFT_FRAMING_NOUNS.has(head);
}

function plain(head: string): NounPhrase {
  return {
    kind: "noun",
    words: [head],
    qualifiers: [],
    head,
    isPlural: false,
    determiner: "a",
    isReference: false,
  };
}

/** "in which area", but "in which year". */
function isAsked({ determiner, head }: NounPhrase): boolean {
  return determiner === "which" && !/^(?:date|time|day|month|year)$/.test(head);
}

function isCounted({ isPlural, determiner }: NounPhrase): boolean {
  if (determiner === null || /^(?:our|their|its|whose)$/.test(determiner)) return isPlural;
  return !/^(?:the|this|that|these|those|his|her|my|your)$/.test(determiner);
}

/** Of whoever writes: "my green thermos". */
function isOwn({ determiner }: NounPhrase): boolean {
  return /^(?:my|your|his|her|this|that)$/.test(determiner ?? "");
}

export function canBeType({ isReference, head, words }: NounPhrase): boolean {
  if (isReference || head.length < 2 || !/^\p{L}/u.test(head)) return false;
  return words.length > 1 ? !isFramingCompound(words, head) : !FRAMING_NOUNS.has(head);
}

/** "knowledge base", "search system"; but "payment system" may be a thing of its own. */
function isFramingCompound(words: readonly string[], head: string): boolean {
  const isBare = /^(?:base|graph|information|data|database|kind|type|attribute|number)$/.test(head);
  return FRAMING_NOUNS.has(head) && (isBare || words.slice(0, -1).some((word) => FRAMING_NOUNS.has(word)));
}

/** Whoever asks, and what is built for it: "we", "our team", "the system"; "teams" and "a team" are things of the graph. */
export function isFramingSubject({ isReference, head, words, determiner, isPlural }: NounPhrase): boolean {
  if (isReference) return head !== "who";
  if (isPlural) return false;
  if (determiner !== null && !/^(?:the|this|our|my)$/.test(determiner)) return false;
  const isPart = FRAMING_SUBJECTS.has(head) || FRAMING_NOUNS.has(head);
  return words.length === 1 ? isPart : FRAMING_NOUNS.has(head) && isFramingCompound(words, head);
}
