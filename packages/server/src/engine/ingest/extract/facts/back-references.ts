/** Takes short forms and pronouns for whom they stand for, where the chunk leaves no doubt. */

import type { Span } from "../../../../domain/graph.ts";
import { calendarWords } from "../../../text/names/name-words.ts";
import { headOf, readableName } from "../../../text/type-names.ts";
import type { TaggedToken } from "../statements/tagged-token.ts";
import { ANCHOR_NOUNS } from "../types/anchors.ts";
import type { FoundEntity } from "./found-entity.ts";
import type { PassageSentence } from "./passage.ts";

/** Whether a type's name says that it is one of people: "Person", "FilmDirector". */
export function isPersonType(type: string): boolean {
  return ANCHOR_NOUNS.get("person")?.includes(headOf(readableName(type))) === true;
}

/**
 * "Larsen" or "Ada" is Ada Larsen where the chunk, or its document's title, has no other person of that name, and the sentence does not
 * name Ada Larsen only behind it: "Larsen left with his sister Ada Larsen".
 */
export function withFullNames<Entity extends FoundEntity>(
  entities: readonly Entity[],
  documentSubject: FoundEntity | null,
): readonly Entity[] {
  const people: readonly FoundEntity[] = documentSubject === null ? entities : [documentSubject, ...entities];
  const firstOf = new Map(people.toReversed().map((person) => [person.key, person]));
  const fullNames = new Map<string, FoundEntity | null>();
  for (const person of people.filter(({ type }) => isPersonType(type))) {
    const words = person.key.split(" ");
    if (words.length < 2) continue;
    for (const part of new Set([words[0] ?? "", words.at(-1) ?? ""])) {
      const known = fullNames.get(part);
      fullNames.set(part, known === undefined || known?.key === person.key ? person : null);
    }
  }
  return entities.map((entity) => {
    const full = fullNames.get(entity.key);
    if (full === null || full === undefined || full.type !== entity.type) return entity;
    const first = firstOf.get(full.key) ?? full;
    const isOther = first.sentence === entity.sentence && first.start > entity.start;
    return isOther || calendarWords.has(entity.key) ? entity : { ...entity, key: full.key, name: full.name };
  });
}

/** "the company": an article with a noun that names the kind of thing that the type is. */
export function isKindOf(tokens: readonly TaggedToken[], type: string | null): boolean {
  const [article, noun, ...more] = tokens;
  if (type === null || noun === undefined || more.length > 0) return false;
  if (article?.lower !== "the" && article?.lower !== "this") return false;
  const head = headOf(readableName(type));
  return (
    head === noun.lower ||
    [...ANCHOR_NOUNS.values()].some((nouns) => nouns.includes(head) && nouns.includes(noun.lower))
  );
}

export interface Opening {
  /** Of the pronoun. */
  readonly range: Span;
  readonly entity: FoundEntity;
}

/**
 * For each sentence what the pronoun that it begins with stands for, null without: the name that opens the sentence
 * before, or what its own pronoun stands for, else the document's subject. "He" and "she" are people, "it" is none, and where the
 * sentence before has several people only the document's subject may be meant. `antecedent`: whom the chunk's first pronoun stands for.
 */
export function resolveOpenings(
  sentences: readonly PassageSentence[],
  entitiesOf: (sentence: number) => readonly FoundEntity[],
  documentSubject: FoundEntity | null,
  antecedent: FoundEntity | null = null,
): readonly (Opening | null)[] {
  let previous: FoundEntity | null = antecedent;
  let people = 0;
  return sentences.map((sentence) => {
    const own = entitiesOf(sentence.index);
    const pronoun = findPronoun(sentence, own);
    let opening: Opening | null = null;
    if (pronoun !== null) {
      const antecedent = previous ?? documentSubject;
      const isSure = people < 2 || antecedent?.key === documentSubject?.key;
      const fits = antecedent !== null && isPersonType(antecedent.type) === (pronoun.lower !== "it");
      if (fits && isSure) opening = { range: pronoun, entity: antecedent };
    }
    previous = opening?.entity ?? own.find(({ from }) => from <= 1) ?? null;
    people = new Set(own.filter(({ type }) => isPersonType(type)).map(({ key }) => key)).size;
    return opening;
  });
}

/** "He", "In 1990 she": before any name and verb of the sentence. */
function findPronoun(sentence: PassageSentence, own: readonly FoundEntity[]): TaggedToken | null {
  for (const [at, token] of sentence.tokens.entries()) {
    if (/^(?:he|she|it)$/.test(token.lower)) return token;
    const isName = own.some(({ from, to }) => from <= at && at < to);
    if (isName || token.tag === "VERB" || token.tag === "AUX" || token.tag === "PRON") return null;
  }
  return null;
}
