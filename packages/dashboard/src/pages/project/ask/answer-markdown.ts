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
    const places = parts.flatMap(({ places }) => places.filter((one) => one.chunk === chunk));
    const [place] = places;
    if (source?.source_doc_id === undefined || place === undefined) return [];
    const { text, source_doc_id: document } = source;
    const marks = headingMarks(text, document);
    const quotes = places.map((one) => `“${escaped(sliceWithout(text, one, marks).replace(/\s+/g, " "))}”`);
    // The number that the page gives the passage: a numbered list would count by itself.
    const link = `[${escaped(document)}](${addressOf(source, place)})`;
    return [`- [${chunk + 1}] ${link}: ${[...new Set(quotes)].join(", ")}`];
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
