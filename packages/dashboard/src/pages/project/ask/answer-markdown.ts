/** An answer as Markdown, with its sources. */
import type { QueryChunk } from "@kcs/sdk";
import type { CitedPart } from "./citations.ts";

/** Characters that would begin something in Markdown. */
const special = /[\\`*_[\]<>#|]/g;

export function markdownOf({
  query,
  statement,
  parts,
  chunks,
  addressOf,
}: {
  readonly query: string;
  /** What the service says instead of an answer; "" for none. */
  readonly statement: string;
  readonly parts: readonly CitedPart[];
  readonly chunks: readonly QueryChunk[];
  /** The page of a document. */
  readonly addressOf: (chunk: QueryChunk) => string;
}): string {
  const numbers = [...new Set(parts.flatMap(({ places }) => places.map(({ chunk }) => chunk)))];
  const answer = parts
    .map(({ text, places }) => {
      const cited = places.map(({ chunk }) => ` [${numbers.indexOf(chunk) + 1}]`).join("");
      const said = text.trimEnd();
      return escaped(said) + cited + (text.includes("\n", said.length) ? "\n" : " ");
    })
    .join("")
    .trim();
  const sources = numbers.flatMap((chunk, at) => {
    const source = chunks[chunk];
    const [place] = parts.flatMap(({ places }) => places.filter((one) => one.chunk === chunk));
    if (source?.source_doc_id === undefined || place === undefined) return [];
    const quote = source.text.slice(place.start, place.end).replace(/\s+/g, " ");
    return [`${at + 1}. [${escaped(source.source_doc_id)}](${addressOf(source)}): “${escaped(quote)}”`];
  });
  return [
    `**${escaped(query)}**`,
    ...(statement === "" ? [] : [escaped(statement)]),
    ...(answer === "" ? [] : [answer]),
    ...(sources.length === 0 ? [] : [`Sources\n\n${sources.join("\n")}`]),
  ].join("\n\n");
}

function escaped(text: string): string {
  return text.replace(special, "\\$&");
}
