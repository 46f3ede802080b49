/** Reads the passages of one step for the step's own question. */
import type { FollowedName, PassageRead, RankedChunk } from "../../../domain/query.ts";
import { nameFinder, normalizeName } from "../../text/names/normal-form.ts";
import { sentences } from "../../text/sentences.ts";
import type { Step, StepRunner } from "./steps.ts";

const READ_CHUNKS = 2;
/** From here on, a passage rather answers than not. */
const LEAST_LOGIT = 0;
const MAX_NAME_UNITS = 80;

export interface StepRead {
  readonly read: readonly PassageRead[];
  /** null where no passage answers the step's question. */
  readonly answer: StepAnswer | null;
}

export interface StepAnswer {
  readonly text: string;
  readonly from: FollowedName["from"];
}

/**
 * Only passages with the name (a normal form) are read: an answer about another thing would be worse than none. `least`: the logit from which a
 * passage counts as an answer.
 */
export async function readStep(
  { query, answer }: Step,
  { passages }: StepRunner,
  { name, least = LEAST_LOGIT }: { readonly name: string; readonly least?: number },
): Promise<StepRead> {
  const chunks = answer.chunks.filter(({ header = "", text }) => nameFinder(`${header}\n${text}`)(name));
  const read = (await passages.read(chunks.slice(0, READ_CHUNKS), query)) ?? [];
  const [best] = read.toSorted((one, other) => other.logit - one.logit);
  const chunk = chunks.find(
    ({ versionId, position }) => versionId === best?.versionId && position === best.position,
  );
  const place = best !== undefined && best.logit >= least ? best.place : null;
  if (place === null || chunk === undefined) return { read, answer: null };
  const [start, end] = [place.start - chunk.start, place.end - chunk.start];
  return { read, answer: { text: chunk.text.slice(start, end).trim(), from: sentenceAt(chunk, start) } };
}

/** Normal form, without what tells a thing from others of the same name: "Rope (1990 song)". */
export function keyOf(name: string): string {
  return normalizeName(name.replace(/ \([^()]{1,60}\)$/u, ""));
}

/** An answer that can be searched for. */
export function nameOf({ answer }: StepRead): FollowedName | null {
  if (answer === null || answer.text.length > MAX_NAME_UNITS) return null;
  const key = normalizeName(answer.text);
  return key === "" ? null : { name: answer.text, key, from: answer.from };
}

function sentenceAt(chunk: RankedChunk, offset: number): FollowedName["from"] {
  const { versionId, position, sourceDocId, text } = chunk;
  const whole = { start: 0, end: text.length };
  const { start, end } = [...sentences(text)].find((span) => offset < span.end) ?? whole;
  const sentence = text.slice(start, end);
  return { versionId, position, sourceDocId, sentence, start: chunk.start + start, end: chunk.start + end };
}
