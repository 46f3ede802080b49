/** Joins the names that the bundled model finds in a sentence with those that rules find. */
import type { EntityMention } from "../mentions/entity-mention.ts";
import type { TaggedToken } from "../statements/tagged-token.ts";
import type { FactReading } from "./fact-reading.ts";

interface NamedSentence {
  readonly start: number;
  readonly end: number;
  readonly tokens: readonly TaggedToken[];
  readonly mentions: readonly EntityMention[];
}

/** Found names that no mention has the bounds of are mentions, too: a choice among those that overlap is made by their types. */
export function withFoundNames(
  { start, end, tokens, mentions }: NamedSentence,
  { names }: FactReading,
): readonly EntityMention[] {
  const added = names.flatMap((name): readonly EntityMention[] => {
    if (name.start < start || name.end > end) return [];
    const from = tokens.findIndex((token) => token.start === name.start);
    const last = tokens.findIndex((token) => token.end === name.end);
    if (from < 0 || last < from) return [];
    if (mentions.some((mention) => mention.from === from && mention.to === last + 1)) return [];
    const isCapital = tokens.slice(from, last + 1).some(({ text }) => /[\p{Lu}\d]/u.test(text));
    return [
      {
        start: name.start,
        end: name.end,
        from,
        to: last + 1,
        kind: isCapital ? "proper" : "noun",
        variantOf: null,
      },
    ];
  });
  return added.length === 0 ? mentions : [...mentions, ...added];
}
