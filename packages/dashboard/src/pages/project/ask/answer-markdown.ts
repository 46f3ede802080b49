/** An answer as Markdown, with its sources. */
import type { QueryChunk } from "@kcs/sdk";
import { headingMarks, sliceWithout } from "../../../components/heading-marks.ts";
import { type AnswerHead, rejectedWords } from "./answer-head.ts";
import type { CitedPart, CitedPlace } from "./citations.ts";

/** Characters that would begin something in Markdown. */
const special = /[\\`*_[\]<>#|]/g;

export function markdownOf({
  query,
  head,
  notes,
  parts: given,
  chunks,
  addressOf,
}: {
  readonly query: string;
  readonly head: AnswerHead;
  /** What else is said of the answer. */
  readonly notes: readonly string[];
  readonly parts: readonly CitedPart[];
  readonly chunks: readonly QueryChunk[];
  /** The page of a document, at the place. */
  readonly addressOf: (chunk: QueryChunk, place: CitedPlace) => string;
}): string {
  // Sentences that the page shows only when somebody asks for them are no part of the answer.
  const parts = head.isFolded ? [] : given;
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
    ...(head.rejected.length === 0 ? [] : [boxOf(head.rejected)]),
    ...(head.isNamed || head.heading === "" ? [] : [`**${escaped(head.heading)}**`]),
    ...(head.reason === "" ? [] : [escaped(head.reason)]),
    ...(answer === "" ? [] : [answer]),
    ...notes.map((note) => `*${escaped(note)}*`),
    ...(sources.length === 0 ? [] : [`Sources\n\n${sources.join("\n")}`]),
  ].join("\n\n");
}

function boxOf(rejected: readonly string[]): string {
  return [`**${rejectedWords}**`, ...rejected.map(escaped)].map((line) => `> ${line}`).join("\n>\n");
}

function escaped(text: string): string {
  return text.replace(special, "\\$&");
}
