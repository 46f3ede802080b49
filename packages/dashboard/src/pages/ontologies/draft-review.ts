/** What a person should look at in an ontology that was drafted from a description, before saving it. */
import type { EdgeTypeDraft, SchemaDraft } from "./schema-draft.ts";

/** Node types that no edge type joins, and that neither group others nor are grouped. */
export function typesWithoutRelationship({ nodeTypes, edgeTypes }: SchemaDraft): readonly string[] {
  const joined = new Set([
    ...edgeTypes.flatMap(({ sources, targets }) => [...sources, ...targets]),
    ...nodeTypes.flatMap(({ name, aggregates }) => (aggregates.length > 0 ? [name, ...aggregates] : [])),
  ]);
  return nodeTypes.map(({ name }) => name).filter((name) => !joined.has(name));
}

/** A part of an excerpt. */
export interface ExcerptPart {
  readonly text: string;
  /** It names an end of the edge type, or is its verb. */
  readonly isNamed: boolean;
}

/**
 * Finds the part of a description that names both ends of an edge type, if possible with its verb; null where no sentence
 * names both. The suggestion does not say what it was made from, so this is searched by the words of the names.
 */
export type FindWords = (edge: EdgeTypeDraft) => readonly ExcerptPart[] | null;

interface Word {
  readonly text: string;
  readonly singular: string;
  readonly start: number;
  readonly end: number;
}

interface Sentence {
  readonly text: string;
  readonly words: readonly Word[];
}

interface Finding {
  readonly sentence: Sentence;
  /** In the order of the text. */
  readonly named: readonly Word[];
  readonly hasVerb: boolean;
  /** False in a mere list of names. */
  readonly hasWordsBetween: boolean;
  readonly length: number;
}

/** Of one word in one sentence. */
const maxPlaces = 8;
const minVerbLetters = 3;
/** Around what is named. */
const contextCharacters = 40;

export function findWordsIn(description: string): FindWords {
  const sentences = description.split(/[.!?;\n]/).map((text) => ({ text, words: wordsIn(text) }));
  return (edge) => {
    const best = sentences.flatMap((sentence) => findIn(sentence, edge)).sort(byLikelihood)[0];
    return best === undefined ? null : excerptOf(best);
  };
}

function byLikelihood(one: Finding, other: Finding): number {
  return (
    Number(other.hasVerb) - Number(one.hasVerb) ||
    Number(other.hasWordsBetween) - Number(one.hasWordsBetween) ||
    one.length - other.length
  );
}

/** The shortest part of a sentence with a source, a target and the verb, which may be missing. */
function findIn(sentence: Sentence, { name, sources, targets }: EdgeTypeDraft): readonly Finding[] {
  const ends = [sources, targets].map((names) => placesOf(sentence.words, new Set(names.map(nounOf))));
  const [from = [], to = []] = ends;
  if (from.length === 0 || to.length === 0) return [];
  const isEnd = new Set(ends.flat());
  const ofNames = new Set([...sources, ...targets].flatMap(wordsOfName));
  const verb = wordsOfName(name)[0] ?? "";
  const verbs = sentence.words
    .filter((word) => !isEnd.has(word) && !ofNames.has(word.text) && isVerb(word.text, verb))
    .slice(0, maxPlaces);
  const findings = from.flatMap((source) =>
    to
      .filter((target) => target !== source && !isCompound(sentence, source, target))
      .flatMap((target) =>
        (verbs.length === 0 ? [null] : verbs).map((word) =>
          findingOf(sentence, [source, target, ...(word === null ? [] : [word])]),
        ),
      ),
  );
  return findings.sort(byLikelihood).slice(0, 1);
}

/** As in "barge owner", which is one name. */
function isCompound({ text }: Sentence, one: Word, other: Word): boolean {
  return text.slice(Math.min(one.end, other.end), Math.max(one.start, other.start)).trim() === "";
}

function findingOf(sentence: Sentence, words: readonly Word[]): Finding {
  const named = words.toSorted((one, other) => one.start - other.start);
  const [first, last] = [named[0], named.at(-1)];
  const between = sentence.text.slice(first?.end, last?.start);
  return {
    ...{ sentence, named, hasVerb: words.length > 2, hasWordsBetween: /\p{L}/u.test(between) },
    length: (last?.end ?? 0) - (first?.start ?? 0),
  };
}

function excerptOf({ sentence: { text, words }, named }: Finding): readonly ExcerptPart[] {
  const [from, to] = [
    (named[0]?.start ?? 0) - contextCharacters,
    (named.at(-1)?.end ?? 0) + contextCharacters,
  ];
  const near = words.filter(({ start, end }) => start >= from && end <= to);
  const [start, end] = [near[0]?.start ?? 0, near.at(-1)?.end ?? 0];
  const parts: ExcerptPart[] = [];
  let at = start;
  if (near[0] !== words[0]) parts.push({ text: "… ", isNamed: false });
  for (const word of named) {
    parts.push({ text: text.slice(at, word.start), isNamed: false });
    parts.push({ text: text.slice(word.start, word.end), isNamed: true });
    at = word.end;
  }
  parts.push({ text: text.slice(at, end) + (near.at(-1) === words.at(-1) ? "" : " …"), isNamed: false });
  return parts.filter((part) => part.text !== "");
}

function wordsIn(text: string): readonly Word[] {
  return [...text.matchAll(/[\p{L}\p{N}]+/gu)].map((match) => {
    const word = match[0].toLowerCase();
    const [start, end] = [match.index, match.index + match[0].length];
    return { text: word, singular: singularOf(word), start, end };
  });
}

/** "ProductionCompany" and "WORKS_FOR" as words in small letters. */
function wordsOfName(name: string): readonly string[] {
  const spaced = name.replace(/(\p{Ll})(?=\p{Lu})/gu, "$1 ");
  return wordsIn(spaced).flatMap(({ text }) => text.split("_"));
}

/** The last word of a type says what it is. */
function nounOf(name: string): string {
  return singularOf(wordsOfName(name).at(-1) ?? "");
}

function placesOf(words: readonly Word[], nouns: ReadonlySet<string>): readonly Word[] {
  return words.filter(({ singular }) => nouns.has(singular)).slice(0, maxPlaces);
}

/** "produces", "produced" and "producing" begin in the same way. */
function isVerb(word: string, verb: string): boolean {
  const stem = verb.slice(0, Math.max(minVerbLetters, verb.length - 3));
  return verb.length >= minVerbLetters && word.startsWith(stem);
}

function singularOf(word: string): string {
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:s|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}
