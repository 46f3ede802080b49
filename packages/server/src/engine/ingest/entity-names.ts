/** Adds names that a language model found in scripts without case, where the rules for names find none; they link passages. */
import type { ChunkFacts, Mention } from "../../domain/graph.ts";
import type { ChunkOutline } from "./outline.ts";

/** A chunk with more names is a table. */
const MAX_MENTIONS = 2_000;

/** Names with cased letters are left to the rules: the model's additional ones link passages that have little in common. */
const cased = /\p{Lu}|\p{Ll}|\p{Lt}/u;

/** The outline's mentions, then the entities of `facts` whose names are not mentioned and have no cased letter. */
export function withEntityNames(
  { mentions, sentences }: ChunkOutline,
  { entities }: ChunkFacts,
): readonly Mention[] {
  const known = new Set(mentions.map(({ name }) => name));
  const found = entities.flatMap(({ key, name, start, end }): readonly Mention[] => {
    if (known.has(key) || cased.test(name)) return [];
    const sentence = sentences.findIndex((one) => one.start <= start && start < one.end);
    return sentence === -1 ? [] : [{ name: key, sentence, isVariant: false, start, end }];
  });
  return found.length === 0 ? mentions : [...mentions, ...found].slice(0, MAX_MENTIONS);
}
