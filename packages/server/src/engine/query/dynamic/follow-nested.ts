/** Answers a question about something that it only describes: first what is described, then the question about that. */
import type { FollowedName, PassageRead, RankedChunk } from "../../../domain/query.ts";
import { normalizeName } from "../../text/names/normal-form.ts";
import { sentences } from "../../text/sentences.ts";
import type { NestedQuestion } from "./nested-question.ts";
import type { StepRunner } from "./steps.ts";

/** Of each step so many passages are read. */
const READ_CHUNKS = 2;
const STEP_CHUNKS = 5;
/** Of the reader: from here on, a passage rather answers than not. */
const LEAST_LOGIT = 0;
const MAX_NAME_UNITS = 80;

/**
 * What the reader made of the passages of the second step; null where it found no answer to the first. `weights` of the chunks that the two steps
 * find.
 */
export async function followNested(
  { inner, outer }: NestedQuestion,
  runner: StepRunner,
  weights: { readonly inner: number; readonly outer: number },
): Promise<readonly PassageRead[] | null> {
  const [first] = await runner.run([{ query: inner, weight: weights.inner, about: null }], STEP_CHUNKS);
  const described = first === undefined ? null : await readName(inner, first.answer.chunks, runner);
  if (described === null) return null;
  const query = outer(described.name);
  const [second] = await runner.run([{ query, weight: weights.outer, about: described }], STEP_CHUNKS);
  return second === undefined
    ? null
    : await runner.passages.read(second.answer.chunks.slice(0, READ_CHUNKS), query);
}

async function readName(
  query: string,
  chunks: readonly RankedChunk[],
  { passages }: StepRunner,
): Promise<FollowedName | null> {
  const read = (await passages.read(chunks.slice(0, READ_CHUNKS), query)) ?? [];
  const [best] = read.toSorted((one, other) => other.logit - one.logit);
  const chunk = chunks.find(
    ({ versionId, position }) => versionId === best?.versionId && position === best.position,
  );
  if (best === undefined || best.logit < LEAST_LOGIT || best.place === null || chunk === undefined)
    return null;
  const { start, end } = best.place;
  const name = chunk.text.slice(start - chunk.start, end - chunk.start).trim();
  const key = normalizeName(name);
  if (key === "" || name.length > MAX_NAME_UNITS) return null;
  return { name, key, from: sentenceAt(chunk, start - chunk.start) };
}

function sentenceAt(chunk: RankedChunk, offset: number): FollowedName["from"] {
  const { versionId, position, sourceDocId, text } = chunk;
  const whole = { start: 0, end: text.length };
  const { start, end } = [...sentences(text)].find((span) => offset < span.end) ?? whole;
  const sentence = text.slice(start, end);
  return { versionId, position, sourceDocId, sentence, start: chunk.start + start, end: chunk.start + end };
}
