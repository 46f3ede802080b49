/** Which names of a chunk's entities the text says are the same. */

import type { AliasMention, Mention } from "../../../../domain/graph.ts";
import { type Alias, findAliases } from "../../../text/names/aliases.ts";
import type { Passage } from "./passage.ts";

/** Stated aliases with spans into the document's text. */
export function readAliases(passage: Passage): readonly Alias[] {
  const { start } = passage;
  const text = passage.textOf(passage);
  const names: readonly Mention[] = passage.names.map((name) => ({
    ...name,
    start: name.start - start,
    end: name.end - start,
  }));
  return findAliases(text, names).map((alias) => ({
    ...alias,
    span: { start: alias.span.start + start, end: alias.span.end + start },
  }));
}

/** For the entities' types, by key; a name that the chunk takes for something else is no alias. */
export function toAliasMentions(
  aliases: readonly Alias[],
  typeOf: ReadonlyMap<string, string>,
): readonly AliasMention[] {
  return aliases.flatMap(({ name, alias, span }) => {
    const type = typeOf.get(name) ?? typeOf.get(alias);
    if (type === undefined || (typeOf.get(alias) ?? type) !== type) return [];
    return [{ type, key: name, alias, ...span }];
  });
}
