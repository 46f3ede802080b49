import { byName } from "../../../components/by-name.ts";

interface Quote {
  readonly source_doc_id: string;
  readonly start: number;
  readonly end: number;
}

/** How many sentences of each document are quoted, those with the most first. One that is quoted twice is one sentence. */
export function countQuotes(
  quotes: readonly Quote[],
): readonly { readonly name: string; readonly sentences: number }[] {
  return [...Map.groupBy(quotes, ({ source_doc_id: name }) => name)]
    .map(([name, own]) => ({
      name,
      sentences: new Set(own.map(({ start, end }) => `${start} ${end}`)).size,
    }))
    .sort((one, other) => other.sentences - one.sentences || byName(one.name, other.name));
}
