/** Reads the question together with the best chunks, to tell whether they answer it and where. */
import type { PassageRead, RankedChunk } from "../../domain/query.ts";
import type { QuestionReader } from "../../ports/question-reader.ts";
import type { Span } from "../text/blocks.ts";
import { isLeadIn } from "./quotation.ts";
import { scoreAnswer } from "./summarize.ts";
import { isLine, type SentenceCandidate } from "./summarize-candidates.ts";
import type { SentenceScore } from "./summarize-score.ts";
import { readRow } from "./table-rows.ts";
import { mayBeEnglish } from "./written/languages.ts";

/** What the reader takes in with the question: about 100 tokens, 6 ms. */
const MAX_WINDOW_UNITS = 420;
const MAX_HEADER_UNITS = 100;

/** {@link readWindows} of about 100 tokens. Nothing where they are in another language. */
export async function readPassages(
  query: string,
  chunks: readonly RankedChunk[],
  reader: QuestionReader,
): Promise<readonly PassageRead[]> {
  if (!isReadable(query, chunks)) return [];
  return readWindows(query, chunks, {
    scores: scoreAnswer({ query, chunks }),
    reader,
    units: MAX_WINDOW_UNITS,
  });
}

/**
 * Of each chunk the sentence that is nearest to the question, but not one that leads in to what follows, with those around it as long as all have at most `units` UTF-16 code units. `scores`: of
 * the sentences of all these chunks, and perhaps of further ones.
 */
export async function readWindows(
  query: string,
  chunks: readonly RankedChunk[],
  {
    scores,
    reader,
    units,
  }: {
    readonly scores: readonly SentenceScore[];
    readonly reader: QuestionReader;
    readonly units: number;
  },
): Promise<readonly PassageRead[]> {
  const found: PassageRead[] = [];
  for (const [at, chunk] of chunks.entries()) {
    const own = scores.filter(
      ({ sentence }) =>
        sentence.chunk === at && !sentence.isGroup && !(sentence.isQuestion && isLeadIn(sentence.text)),
    );
    const window = windowOf(own, units);
    if (window.length === 0) continue;
    const { header, text, placeOf } = textOf(window, chunk);
    const { logit, span } = await reader.read(query, {
      header: header.slice(0, MAX_HEADER_UNITS).trim(),
      text,
    });
    const { versionId, position } = chunk;
    const place = span === null ? null : { versionId, ...placeOf(span) };
    found.push({ versionId, position, logit, place });
  }
  return found;
}

/**
 * The sentence that covers the most of the question, and its neighbours while there is room; of a list, those under the same heading or label: the next entry says the
 * same of another thing. So does the next row of a table: one alone is read.
 */
function windowOf(scores: readonly SentenceScore[], units: number): readonly SentenceCandidate[] {
  const own = scores.toSorted((one, other) => one.sentence.start - other.sentence.start);
  const worth = (score: SentenceScore | undefined) =>
    score === undefined ? Number.NEGATIVE_INFINITY : score.coverage + score.share / 2;
  let first = 0;
  for (const [at, score] of own.entries()) if (worth(score) > worth(own[first])) first = at;
  let last = first;
  const fits = (from: number, to: number) => {
    const [one, other] = [own[from]?.sentence, own[to]?.sentence];
    if (one === undefined || other === undefined || other.end - one.start > units) return false;
    if (one.row !== null || other.row !== null) return false;
    const isList = isLine(one) || isLine(other);
    return !isList || one.context.above.at(-1) === other.context.above.at(-1);
  };
  for (;;) {
    const [before, after] = [fits(first - 1, last), fits(first, last + 1)];
    if (!before && !after) break;
    if (before && (!after || worth(own[first - 1]) >= worth(own[last + 1]))) first--;
    else last++;
  }
  return own.slice(first, last + 1).map(({ sentence }) => sentence);
}

/** What is read, and where a part of it stands in the document: a row below what it is quoted below, with the names of its columns, or as it is stored where they have none. */
function textOf(window: readonly SentenceCandidate[], chunk: RankedChunk) {
  const [first] = window;
  const start = first?.start ?? 0;
  const end = Math.max(...window.map((sentence) => sentence.end));
  const row = first?.row ?? null;
  const named = row === null ? null : readRow(row);
  const stored = {
    text: chunk.text.slice(start - chunk.start, end - chunk.start),
    placeOf: (part: Span): Span => ({ start: start + part.start, end: start + part.end }),
  };
  const lead = row === null ? "" : (first?.lead ?? "");
  const header = lead === "" ? (chunk.header?.split("\n", 1)[0] ?? "") : lead;
  if (named === null) return { header, ...stored };
  return { header, text: named.text, placeOf: (part: Span) => named.placeOf(part) ?? { start, end } };
}

/** Whether question and chunks are in English, which alone the reader was taught, also where they have too few words to tell. */
export function isReadable(query: string, chunks: readonly RankedChunk[]): boolean {
  return mayBeEnglish([query, ...chunks.map((chunk) => chunk.text)].join("\n"));
}
