/** Titles before the names of people. */
import { ranks } from "../../../text/names/name-words.ts";
import type { TaggedToken } from "../statements/tagged-token.ts";
import type { EntityMention } from "./entity-mention.ts";

/** Those that are seldom anything else, in lower case. */
export const titles: ReadonlySet<string> = new Set(
  [
    ...[...ranks, "mr.", "mrs.", "ms.", "ms", "miss", "dr.", "prof.", "professor", "sir", "dame"],
    ...["cllr", "cllr.", "councillor", "rev.", "capt.", "col.", "lt.", "sgt.", "gen.", "sen.", "gov."],
  ].filter(
    (rank) =>
      !/^(?:st|saint|general|major|chief|director|minister|earl|count|judge|justice|coach)$/.test(rank),
  ),
);

/** "Sir Ada Larsen" without the title; null where a title and two words of a name are not all of it: "Prince Edward Island", "Lord Provost of Orm". */
export function withoutTitle(tokens: readonly TaggedToken[], mention: EntityMention): EntityMention | null {
  const { from, to } = mention;
  if (mention.kind !== "proper" || !titles.has(tokens[from]?.lower ?? "")) return null;
  const first = tokens[from + 1]?.text === "." ? from + 2 : from + 1;
  const words = tokens.slice(first, to);
  const isName = words.length >= 2 && words.every(({ text }) => /^(?:\p{Lu}[\p{L}.'’]*|-)$/u.test(text));
  const start = words[0]?.start;
  return isName && start !== undefined ? { ...mention, from: first, start } : null;
}
