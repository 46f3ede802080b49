/** Tells when the chunks that were found do not answer the question, so that the summary can say so. */

import type { AnswerReading } from "../../domain/query.ts";
import { foldText } from "../text/fold-text.ts";
import { queryTerms } from "../text/terms.ts";
import type { SummaryChunk } from "./summarize-candidates.ts";
import type { SentenceScore } from "./summarize-score.ts";

export interface Denial {
  /** A sentence for the reader. */
  readonly statement: string;
  /** False where nobody can tell: then passages are listed, and nothing is claimed. */
  readonly isSure: boolean;
  /** Whether the nearest sentences are still worth showing. */
  readonly isNear: boolean;
}

/**
 * Below all of these nothing answers: so are 0.8 % of 353 questions that their documents answer, and 68 % of 108 about something else
 * (docs/decisions/0032). Chosen with the bundled model: cosines of others are mostly higher, so that less is denied.
 */
const LEAST = { coverage: 0.6, share: 0.5, fused: 0.29, cosine: 0.4 };
/** What has less of both has nothing to do with the question. */
const NEAR = { coverage: 0.12, cosine: 0.3 };
/** A part number, an error code, a model: letters with figures. */
const IDENTIFIER =
  /(?<![\p{L}\p{N}])(?=\p{N}{0,80}[\p{L}_.-])(?=[\p{L}_.-]{0,80}\p{N})[\p{L}\p{N}]{1,80}(?:[-_./][\p{L}\p{N}]{1,80}){0,6}/gu;
/** An amount with its unit, or a time of day. */
const QUANTITY = /^\d+(?:[.,]\d+)?(?:-?\p{Ll}+|[AP]M)$/u;
const MAX_IDENTIFIERS = 4;
const NO_ANSWER = "No passage that was found answers this.";
const NOT_KNOWN = "Whether these passages answer cannot be told in this language.";

/**
 * null where the best sentence covers enough of the question or its chunk is near enough to it, and where that cannot be told: a question
 * without terms, chunks without scores. A question that names something by letters and figures is denied where no chunk has it.
 * Otherwise a model that has read the chunks decides, where it found an answer or has read all of them without one.
 */
export function denialOf({
  query,
  chunks,
  scores,
  reading = null,
}: {
  readonly query: string;
  readonly chunks: readonly SummaryChunk[];
  readonly scores: readonly SentenceScore[];
  readonly reading?: AnswerReading | null;
}): Denial | null {
  if (scores.length === 0) return null;
  const missing = missingIdentifiers(query, chunks);
  if (missing.length > 0) {
    const names = missing.map((name) => `“${name}”`).join(" or ");
    return { statement: `No passage that was found mentions ${names}.`, isSure: true, isNear: true };
  }
  if (reading !== null && reading.answer !== null) return null;
  const isDenied = reading?.isComplete === true;
  if (!isDenied && queryTerms(query).length === 0) return null;
  const coverage = Math.max(...scores.map((score) => score.coverage));
  const cosine = Math.max(...chunks.map((chunk) => chunk.cosine ?? 1));
  const fused = Math.max(...chunks.map((chunk) => chunk.fused ?? 1));
  const isWorded = coverage >= LEAST.coverage || scores.some(({ share }) => share >= LEAST.share);
  const isAnswered = isWorded || fused >= LEAST.fused || cosine >= LEAST.cosine;
  if (isAnswered && !isDenied)
    return reading?.isUnsure === true ? { statement: NOT_KNOWN, isSure: false, isNear: true } : null;
  const isNear = isAnswered || coverage >= NEAR.coverage || cosine >= NEAR.cosine;
  return { statement: NO_ANSWER, isSure: true, isNear };
}

/** As the question writes them. */
function missingIdentifiers(query: string, chunks: readonly SummaryChunk[]): readonly string[] {
  const named = [...query.slice(0, 500).normalize("NFC").matchAll(IDENTIFIER)]
    .map(([name]) => name)
    .filter((name) => name.length >= 3 && /\p{Lu}/u.test(name) && !QUANTITY.test(name));
  if (named.length === 0) return [];
  const texts = chunks.map(({ text, header = "" }) => foldText(`${header}\n${text}`));
  const isMentioned = (name: string) => {
    const pattern = patternOf(name);
    return texts.some((text) => pattern.test(text));
  };
  // "A4/A5" is one name or two.
  return [...new Set(named)]
    .slice(0, MAX_IDENTIFIERS)
    .filter((name) => !isMentioned(name) && !(name.includes("/") && name.split("/").every(isMentioned)));
}

/** The same letters and figures in any spelling, joined or parted, of one or several: "VX-20", "vx20", "VX 20s", "VX₂₀", "VX\_20". */
function patternOf(name: string): RegExp {
  const runs = foldText(name.replace(/(?<=\p{N})s$/u, "")).match(/\p{L}+|\p{N}+/gu) ?? [];
  return new RegExp(`(?<![\\p{L}\\p{N}])${runs.join("[\\s_./\\\\\\p{Pd}−]{0,3}")}s?(?![\\p{L}\\p{N}])`, "u");
}
