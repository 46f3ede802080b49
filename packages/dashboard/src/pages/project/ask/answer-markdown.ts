/** An answer as Markdown, with its sources. */
import type { QueryChunk } from "@kcs/sdk";
import { headingMarks, sliceWithout } from "../../../components/heading-marks.ts";
import type { CitedPart, CitedPlace } from "./citations.ts";

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
  /** The page of a document, at the place. */
  readonly addressOf: (chunk: QueryChunk, place: CitedPlace) => string;
}): string {
  const numbers = [...new Set(parts.flatMap(({ places }) => places.map(({ chunk }) => chunk)))];
  const answer = parts
    .map(({ text, places }) => {
      const cited = places.map(({ chunk }) => ` [${chunk + 1}]`).join("");
      const said = text.trimEnd();
      return escaped(said) + cited + (text.includes("\n", said.length) ? "\n" : " ");
    })
    .join("")
    .trim();
  const sources = numbers.flatMap((chunk) => {
    const source = chunks[chunk];
    const [place] = parts.flatMap(({ places }) => places.filter((one) => one.chunk === chunk));
    if (source?.source_doc_id === undefined || place === undefined) return [];
    const cited = sliceWithout(source.text, place, headingMarks(source.text, source.source_doc_id));
    const quote = cited.replace(/\s+/g, " ");
    // The number that the page gives the passage: a numbered list would count by itself.
    const link = `[${escaped(source.source_doc_id)}](${addressOf(source, place)})`;
    return [`- [${chunk + 1}] ${link}: “${escaped(quote)}”`];
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
