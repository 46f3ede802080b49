/** Nouns that stand beside each other: "X's Y", "Y of X", "X with Y", "X and their Y", "flights between airports". */
import { isPropertyNoun } from "./framing-words.ts";
import { listBefore, listFrom } from "./noun-lists.ts";
import type { NounPhrase, Phrase } from "./phrase.ts";

export interface Attachment {
  readonly preposition: string;
  readonly heads: readonly NounPhrase[];
  readonly nouns: readonly NounPhrase[];
}

export function readAttachments(phrases: readonly Phrase[]): readonly Attachment[] {
  const found: Attachment[] = [];
  for (const [at, phrase] of phrases.entries()) {
    if (phrase.kind === "possessive") {
      const owner = phrases[at - 1];
      if (owner?.kind !== "noun" || phrases[at + 1]?.kind !== "noun") continue;
      found.push({ preposition: "of", heads: listFrom(phrases, at + 1).nouns, nouns: [owner] });
    } else if (phrase.kind === "preposition") {
      const before = phrases[at - 1];
      const { nouns } = listFrom(phrases, at + 1);
      if (before?.kind !== "noun" || nouns.length === 0) continue;
      const list = listBefore(phrases, at - 1, { hops: false, isFree: true }).nouns;
      // "the name, size and weight of a box": all of them.
      const areValues = list.some(({ head }) => isPropertyNoun(head)) && /^(?:of|for|per)$/.test(phrase.word);
      const areBare =
        phrase.word === "of" && list.every(({ determiner, isPlural }) => determiner === null && !isPlural);
      const heads = phrase.word === "with" || areValues || areBare ? list : [before];
      found.push({ preposition: phrase.word, heads, nouns });
    } else if (phrase.kind === "noun" && /^(?:their|its|his|her)$/.test(phrase.determiner ?? "")) {
      const owners = ownersBefore(phrases, at);
      if (owners.length > 0)
        found.push({ preposition: "of", heads: listFrom(phrases, at).nouns, nouns: owners });
    }
  }
  return found;
}

/** "authors, editors and their books": the list before; otherwise the first noun of the sentence. */
function ownersBefore(phrases: readonly Phrase[], at: number): readonly NounPhrase[] {
  let before = at - 1;
  if (phrases[before]?.kind === "and" || phrases[before]?.kind === "preposition") before--;
  if (phrases[before]?.kind === "comma") before--;
  if (before < at - 1 && phrases[before]?.kind === "noun")
    return listBefore(phrases, before, { hops: false }).nouns.slice(-3);
  const first = phrases.findIndex(({ kind }) => kind === "noun");
  return first >= 0 && first < at ? listBefore(phrases, first, { hops: false }).nouns : [];
}
