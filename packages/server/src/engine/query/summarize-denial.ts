/** Tells when the chunks that were found do not answer the question, so that the summary can say so. */

import type { AnswerReading } from "../../domain/query.ts";
import { foldText } from "../text/fold-text.ts";
import { queryTerms } from "../text/terms.ts";
import { statesAskedLife } from "./asked-life.ts";
import { type AskedNames, missingNames, speaksOf } from "./asked-names.ts";
import { countedYear, hasYear, missingNumbers } from "./asked-numbers.ts";
import { namesInQuestion } from "./dynamic/question-names.ts";
import type { SummaryChunk } from "./summarize-candidates.ts";
import type { SentenceScore } from "./summarize-score.ts";

export interface Denial {
  /** A sentence for the reader. */
  readonly statement: string;
  /** False where nobody can tell: then passages are listed, and nothing is claimed. */
  readonly isSure: boolean;
  /** Whether the nearest sentences are still worth showing. */
  readonly isNear: boolean;
  /** Passages about something else than the question names are no nearer for having what it asks for. */
  readonly isApart?: boolean;
}

/**
 * Below all of these nothing answers: so are 0.8 % of 353 questions that their documents answer, and 68 % of 108 about something else
 * (docs/decisions/0032). Chosen with the bundled model: cosines of others are mostly higher, so that less is denied.
 */
const LEAST = { coverage: 0.6, share: 0.5, fused: 0.29, cosine: 0.4 };
/** A sentence that has so much of the question's weight is about what it asks, whatever the reader makes of its form. */
const COVERED = 0.9;
/** What has less of both has nothing to do with the question. */
const NEAR = { coverage: 0.12, cosine: 0.3 };
/**
 * A part number, an error code, a model: letters with figures. Latin ones alone: words of a script without spaces stand right beside them ("X300水泵"), and
 * endings of others ("Q900은").
 */
const IDENTIFIER =
  /(?<![\p{sc=Latin}\p{N}])(?=\p{N}{0,80}[\p{sc=Latin}_.-])(?=[\p{sc=Latin}_.-]{0,80}\p{N})[\p{sc=Latin}\p{N}]{1,80}(?:[-_./][\p{sc=Latin}\p{N}]{1,80}){0,6}/gu;
/** What a word joins to a name: "-Pumpe", "-as", "Pumpe-". Two or three capitals may be a part of a code. */
const JOINED_AFTER = /-(?=\p{L}{0,80}\p{Ll}|\p{L}{4})\p{L}{1,80}$/u;
const JOINED_BEFORE = /^(?=\p{L}{0,80}\p{Ll}|\p{L}{4})\p{L}{1,80}-/u;
/** A setting or a function: "maxRetries". Those with "_" were tried: two right answers of 717 were denied for them, no false one. */
const CODE_WORD = /(?<![\p{L}\p{N}_])\p{Ll}{2,40}(?:\p{Lu}\p{Ll}{1,40}){1,6}(?![\p{L}\p{N}_])/gu;
/** A plural or an ending: "QT-7s", "A380as". */
const GLUED = /(?<=\p{N})(?:s|\p{Ll}{2,80})$/u;
/** An amount with its unit, or a time of day. */
const QUANTITY = /^\d+(?:[.,]\d+)?(?:-?\p{Ll}+|[AP]M)$/u;
/** A figure, or two words with capitals. */
const MAY_NAME = /\p{N}|\p{Lu}[^\p{Lu}]{1,80}\p{Lu}/u;
const MAX_IDENTIFIERS = 4;
const NO_ANSWER = "No passage that was found answers this.";
const NOT_KNOWN = "Whether these passages answer cannot be told in this language.";

/**
 * null where the best sentence covers enough of the question or its chunk is near enough to it, and where that cannot be told: a question
 * without terms, chunks without scores. A question that names something by letters and figures, as code does, or by a word and a number is denied where no chunk has it, and one for a number in a
 * year where nothing about the thing has that year.
 * A life in brackets that gives what is asked of somebody answers, whatever a reader makes of it.
 * Otherwise a model that has read the chunks decides, where it found an answer or has read all of them without one.
 */
export function denialOf({
  query,
  asked,
  chunks,
  scores,
  reading = null,
}: {
  readonly query: string;
  readonly asked: AskedNames;
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
  const apart = kindApart(query, asked, chunks) ?? countApart(query, asked, chunks);
  if (apart !== null) {
    const statement = `No passage that was found mentions “${apart.name}” with “${apart.of}”.`;
    return { statement, isSure: true, isNear: true, isApart: true };
  }
  if ((reading !== null && reading.answer !== null) || statesAskedLife(query, chunks)) return null;
  const coverage = Math.max(...scores.map((score) => score.coverage));
  const isDenied = reading?.isComplete === true && coverage < COVERED;
  if (!isDenied && queryTerms(query).length === 0) return null;
  const cosine = Math.max(...chunks.map((chunk) => chunk.cosine ?? 1));
  const fused = Math.max(...chunks.map((chunk) => chunk.fused ?? 1));
  const isWorded = coverage >= LEAST.coverage || scores.some(({ share }) => share >= LEAST.share);
  const isAnswered = isWorded || fused >= LEAST.fused || cosine >= LEAST.cosine;
  if (isAnswered && !isDenied)
    return reading?.isUnsure === true ? { statement: NOT_KNOWN, isSure: false, isNear: true } : null;
  const isNear = isAnswered || coverage >= NEAR.coverage || cosine >= NEAR.cosine;
  return { statement: NO_ANSWER, isSure: true, isNear };
}

/** The asked kind, where passages have its name and that of what it is asked of, but no document has both. */
function kindApart(
  query: string,
  { about, kind }: AskedNames,
  chunks: readonly SummaryChunk[],
): AskedNames["kind"] {
  if (kind === null) return null;
  const speaking = new Set(
    chunks.filter((chunk) => speaksOf(about, chunk)).map(({ versionId }) => versionId),
  );
  const texts = chunks
    .filter(({ versionId }) => speaking.has(versionId))
    .map(({ text, header = "" }) => foldText(`${header}\n${text}`));
  return texts.length > 0 && missingNames(query, texts).includes(kind.name) ? kind : null;
}

/** The year in which something is counted, where no passage of a document about that thing has the year. */
function countApart(
  query: string,
  { about }: AskedNames,
  chunks: readonly SummaryChunk[],
): AskedNames["kind"] {
  const year = countedYear(query);
  const named = year === null ? undefined : namesInQuestion(query)[0];
  if (year === null || named === undefined) return null;
  const speaking = new Set(
    chunks.filter((chunk) => speaksOf(about, chunk)).map(({ versionId }) => versionId),
  );
  if (speaking.size === 0) return null;
  const isOf = (line: string) => speaksOf(about, { text: line });
  const isTold = chunks.some(
    ({ versionId, text, header = "" }) =>
      speaking.has(versionId) && hasYear(`${header}\n${text}`, year, isOf),
  );
  return isTold ? null : { name: String(year), of: query.slice(named.start, named.end) };
}

/** As the question writes them, without the words that are joined to them. */
function missingIdentifiers(query: string, chunks: readonly SummaryChunk[]): readonly string[] {
  const asked = query.slice(0, 500).normalize("NFC");
  const coded = [...asked.matchAll(IDENTIFIER)]
    .map(([name]) => coreOf(name))
    .filter((name) => name.length >= 3 && /\p{Lu}/u.test(name) && !QUANTITY.test(name));
  const named = [...coded, ...[...asked.matchAll(CODE_WORD)].map(([name]) => name)];
  if (named.length === 0 && !MAY_NAME.test(asked)) return [];
  const texts = chunks.map(({ text, header = "" }) => foldText(`${header}\n${text}`));
  const isMentioned = (name: string) => {
    const patterns = [name, name.replace(GLUED, "")].map(patternOf);
    return texts.some((text) => patterns.some((pattern) => pattern.test(text)));
  };
  // "A4/A5" is one name or two.
  const isMissing = (name: string) =>
    !isMentioned(name) && !(name.includes("/") && name.split("/").every(isMentioned));
  return [
    ...new Set([
      ...[...new Set(named)].slice(0, MAX_IDENTIFIERS).filter(isMissing),
      ...missingNumbers(asked, texts),
      ...missingNames(asked, texts),
    ]),
  ];
}

/** "VX-20" of "VX-20-Pumpe", but all of "COVID-19": what is left has letters and figures. */
function coreOf(name: string): string {
  let core = name;
  for (;;) {
    const shorter = [JOINED_AFTER, JOINED_BEFORE]
      .map((joined) => core.replace(joined, ""))
      .find((rest) => rest !== core && /\p{L}/u.test(rest) && /\p{N}/u.test(rest));
    if (shorter === undefined) return core;
    core = shorter;
  }
}

/** The same letters and figures in any spelling, joined or parted, of one or several: "VX-20", "vx20", "VX 20s", "VX₂₀", "VX\_20". */
function patternOf(name: string): RegExp {
  const spaced = name.replace(/(?<=\p{Ll}{2})(?=\p{Lu})/gu, " ");
  const parts = (foldText(spaced).match(/\p{L}+|\p{N}+/gu) ?? []).join("[\\s_./\\\\\\p{Pd}−]{0,3}");
  return new RegExp(`(?<![\\p{sc=Latin}\\p{N}])${parts}s?(?![\\p{sc=Latin}\\p{N}])`, "u");
}
