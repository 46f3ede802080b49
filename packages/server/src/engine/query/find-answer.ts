/** Lets a model look for the answer to a question in the passages that were found. */
import { indexedText } from "../../domain/document.ts";
import type { Explanation } from "../../domain/explanation.ts";
import type { AnswerReading, RankedChunk } from "../../domain/query.ts";
import type { AnswerFinder, FoundAnswers } from "../../ports/answer-finder.ts";

export interface FoundAnswer {
  readonly reading: AnswerReading;
  readonly explanation: NonNullable<Explanation["answer"]>;
}

type ReadPassage = Omit<FoundAnswer["explanation"]["passages"][number], "isChosen">;

/**
 * Reads chunks from the best on, until the next one would exceed the model's time; always the first one. A passage answers
 * with the best span of its own text (not of its header) if that scores more than no answer; of several passages the one
 * whose span scores most answers, the better ranked one of equals.
 */
export async function findAnswer(
  query: string,
  chunks: readonly RankedChunk[],
  { finder, now = () => performance.now() }: { readonly finder: AnswerFinder; readonly now?: () => number },
): Promise<FoundAnswer> {
  const began = now();
  const read: { readonly passage: ReadPassage; readonly versionId: number }[] = [];
  let longestMs = 0;
  for (const chunk of chunks) {
    const before = now();
    if (read.length > 0 && before - began + longestMs > finder.limitMs) break;
    const { header = "", text, versionId } = chunk;
    const passage = indexedText({ header, text });
    const found = await finder.find(query, passage);
    read.push({ passage: readPassage(chunk, found, { passage }), versionId });
    longestMs = Math.max(longestMs, now() - before);
  }
  const answering = read.filter(({ passage: { span, noAnswerScore } }) => (span?.score ?? 0) > noAnswerScore);
  const [best = null] = answering.toSorted(
    ({ passage: one }, { passage: other }) => (other.span?.score ?? 0) - (one.span?.score ?? 0),
  );
  const span = best?.passage.span ?? null;
  return {
    reading: {
      answer:
        best === null || span === null
          ? null
          : { versionId: best.versionId, start: span.start, end: span.end },
      isComplete: read.length === chunks.length,
    },
    explanation: {
      model: finder.model,
      limitMs: finder.limitMs,
      tookMs: Math.round((now() - began) * 100) / 100,
      passages: read.map((each) => ({ ...each.passage, isChosen: each === best })),
    },
  };
}

/** Its offsets become those in the document. */
function readPassage(
  chunk: RankedChunk,
  { spans, noAnswerScore }: FoundAnswers,
  { passage }: { readonly passage: string },
): ReadPassage {
  const { versionId, position, sourceDocId, text } = chunk;
  const textAt = passage.length - text.length;
  const best = spans.find(({ start, end }) => start >= textAt && passage.slice(start, end).trim() !== "");
  const key = { versionId, position, sourceDocId, noAnswerScore };
  if (best === undefined) return { ...key, span: null };
  const start = chunk.start + best.start - textAt;
  return {
    ...key,
    span: {
      text: passage.slice(best.start, best.end),
      start,
      end: start + best.end - best.start,
      score: best.score,
    },
  };
}
