/** Reads the passages of one step for the step's own question. */
import type { ChunkKey } from "../../../domain/document.ts";
import type { FollowedName, PassageRead, RankedChunk } from "../../../domain/query.ts";
import { fullNameFinder, normalizeName } from "../../text/names/normal-form.ts";
import { sentences } from "../../text/sentences.ts";
import { createTermFinder } from "../../text/term-finder.ts";
import { queryTerms } from "../../text/terms.ts";
import { findRelatedTerms } from "../related-words.ts";
import { isSaidOfOther } from "./said-of.ts";
import type { Step, StepRunner } from "./steps.ts";

const READ_CHUNKS = 3;
/** From here on, a passage rather answers than not. */
const LEAST_LOGIT = 0;
/** The same where the words before the answer say the asked role: "directed by", "the director". */
const LEAST_WITH_ROLE = -4;
const MAX_NAME_UNITS = 80;

export interface StepRead {
  readonly read: readonly PassageRead[];
  /** null where no passage answers the step's question. */
  readonly answer: StepAnswer | null;
  /** What passages say is said of others alone. */
  readonly isOfOthers: boolean;
}

export interface StepAnswer {
  readonly text: string;
  readonly from: FollowedName["from"];
}

interface Sought {
  readonly name: string;
  /** What the answer is of the name: "director". Default: nothing */
  readonly role?: string;
}

/**
 * Only passages with the name (a normal form) are read: an answer about another thing would be worse than none. Of passages that answer, one that begins with
 * the name goes before others. What a sentence says of another whom it names is no answer, nor what stands before the name: then the text around it is read.
 */
export async function readStep(
  { query, answer }: Step,
  { passages }: StepRunner,
  { name, role = "" }: Sought,
): Promise<StepRead> {
  const chunks = answer.chunks.filter(({ header = "", text }) => fullNameFinder(`${header}\n${text}`)(name));
  const first = chunks.slice(0, READ_CHUNKS);
  const read = (await passages.read(first, query)) ?? [];
  const found = answersIn(first, read, { name, role });
  const own = found.filter(({ isOther }) => !isOther);
  if (own.length > 0 || found.length === 0) return { read, answer: own[0] ?? null, isOfOthers: false };
  const around = first.flatMap((chunk) =>
    found.filter(({ from }) => isOf(from, chunk)).flatMap(({ from }) => without(chunk, from)),
  );
  const again = (await passages.read(around, query)) ?? [];
  const [other = null] = answersIn(around, again, { name, role }).filter(({ isOther }) => !isOther);
  return { read: other === null ? [] : again, answer: other, isOfOthers: other === null };
}

interface FoundAnswer extends StepAnswer {
  /** Said of another than the step asks about. */
  readonly isOther: boolean;
}

/** Best first. */
function answersIn(
  chunks: readonly RankedChunk[],
  read: readonly PassageRead[],
  { name, role }: Required<Sought>,
): readonly FoundAnswer[] {
  const isTitled = (chunk: RankedChunk) =>
    ` ${normalizeName(chunk.text.slice(0, MAX_NAME_UNITS))} `.startsWith(` ${name} `);
  const saysRole = roleFinder(role);
  return read
    .flatMap(({ logit, place, ...key }) => {
      const chunk = chunks.find(
        (each) => isOf(key, each) && place !== null && place.start >= each.start && place.end <= each.end,
      );
      if (chunk === undefined || place === null) return [];
      const [start, end] = [place.start - chunk.start, place.end - chunk.start];
      const isTold = saysRole(chunk.text.slice(Math.max(0, start - MAX_NAME_UNITS), start));
      if (logit < (isTold ? LEAST_WITH_ROLE : LEAST_LOGIT)) return [];
      const from = sentenceAt(chunk, start);
      const isOfName = fullNameFinder(
        `${chunk.header ?? ""}\n${chunk.text.slice(0, from.end - chunk.start)}`,
      )(name);
      const before = from.sentence.slice(0, Math.max(0, place.start - from.start));
      const isOther = !isOfName || isSaidOfOther(before, { name, opens: from.start === chunk.start });
      return [{ text: chunk.text.slice(start, end).trim(), from, isOther, logit, isTitled: isTitled(chunk) }];
    })
    .sort((one, other) => Number(other.isTitled) - Number(one.isTitled) || other.logit - one.logit);
}

/** Whether a text ends with the role or what its holder did: "the director ", "was directed by ". */
function roleFinder(role: string): (before: string) => boolean {
  const terms = new Set(queryTerms(role));
  const wanted = new Set([...terms, ...[...findRelatedTerms(terms).values()].flat()]);
  const find = createTermFinder(wanted);
  return (before) => find(/(?<!\p{L})(\p{L}{1,40})(?: by)? $/u.exec(before)?.[1] ?? "").size > 0;
}

function isOf(one: ChunkKey, other: ChunkKey): boolean {
  return one.versionId === other.versionId && one.position === other.position;
}

/** The text before the sentence and that after it. */
function without(chunk: RankedChunk, { start, end }: StepAnswer["from"]): readonly RankedChunk[] {
  const parts = [
    { ...chunk, text: chunk.text.slice(0, start - chunk.start), end: start },
    { ...chunk, text: chunk.text.slice(end - chunk.start), start: end },
  ];
  return parts.filter(({ text }) => text.trim() !== "");
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
