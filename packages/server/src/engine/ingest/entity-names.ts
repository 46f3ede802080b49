/** Names that a language model found and the rules for names did not: passages are connected over them as well. */
import type { ChunkFacts, Mention } from "../../domain/graph.ts";
import type { ChunkOutline } from "./outline.ts";

/** A chunk of more names is a table. */
const MAX_MENTIONS = 2_000;

/** The outline's mentions, then the facts' entities whose names no mention has, by place. */
export function withEntityNames(
  { mentions, sentences }: ChunkOutline,
  { entities }: ChunkFacts,
): readonly Mention[] {
  const known = new Set(mentions.map(({ name }) => name));
  const found = entities.flatMap(({ key, start, end }): readonly Mention[] => {
    if (known.has(key)) return [];
    const sentence = sentences.findIndex((one) => one.start <= start && start < one.end);
    return sentence === -1 ? [] : [{ name: key, sentence, isVariant: false, start, end }];
  });
  return found.length === 0 ? mentions : [...mentions, ...found].slice(0, MAX_MENTIONS);
}
