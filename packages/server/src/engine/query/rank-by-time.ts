/** Orders chunks by when their documents were written, for a question about one time. */
import type { VersionId } from "../../domain/document.ts";
import type { Explanation } from "../../domain/explanation.ts";
import type { RankedChunk } from "../../domain/query.ts";
import { endOf, type Moment } from "../../domain/validity.ts";
import type { IndexStore } from "../../ports/store.ts";
import { dateOfDocument } from "../text/document-date.ts";
import { coverOf } from "./content-terms.ts";

/** So many chunks are read for a question about one time, because those of other times move back. */
export const DATED_CHUNKS = 50;
/** Shares of its similarity that a chunk loses whose document was written after the time that is asked of, or before it; not more than `most`. */
const LATER = { atOnce: 0.1, perMonth: 0.1, most: 0.6 };
const OLDER = { perMonth: 0.005, most: 0.3 };
const MONTHS = 12;

export interface RankedByTime {
  readonly ranked: readonly RankedChunk[];
  readonly dated: NonNullable<Explanation["dated"]>;
}

/**
 * What was written after the moment tells of a later state, unless it names the year, or the event, that is asked of; of what was written
 * before, the newest counts most. Documents without a date keep their similarity. The date is that of {@link dateOfDocument}.
 */
export async function rankByTime(
  chunks: readonly RankedChunk[],
  input: {
    readonly projectId: string;
    readonly moment: Moment;
    /** Of the event that the question names its time by; null = none. */
    readonly terms: readonly string[] | null;
    readonly store: Pick<IndexStore, "readHeads">;
  },
): Promise<RankedByTime> {
  const { moment, terms } = input;
  const dates = await readDates(chunks, input);
  const year = yearOf(moment);
  const tellsOf = terms === null ? null : coverOf(terms);
  const timed = chunks
    .map((chunk) => {
      const date = dates.get(chunk.versionId) ?? null;
      const share = shareOf(date, {
        moment,
        isOfThen: chunk.text.includes(year) || tellsOf?.(chunk.text) === true,
      });
      return { chunk: { ...chunk, similarity: chunk.similarity * share }, date, share };
    })
    .sort((one, other) => other.chunk.similarity - one.chunk.similarity);
  return {
    ranked: timed.map(({ chunk }) => chunk),
    dated: timed.map(({ chunk: { versionId, position, sourceDocId }, date, share }) => ({
      ...{ versionId, position, sourceDocId },
      date,
      share,
    })),
  };
}

/** By version. */
export async function readDates(
  chunks: readonly RankedChunk[],
  { projectId, store }: { readonly projectId: string; readonly store: Pick<IndexStore, "readHeads"> },
): Promise<ReadonlyMap<VersionId, string | null>> {
  const documents = [...new Map(chunks.map((chunk) => [chunk.versionId, chunk])).values()];
  const versionIds = documents.map(({ versionId }) => versionId);
  const heads = await store.readHeads({ projectId, versionIds });
  return new Map(
    documents.map(({ versionId, sourceDocId }, at) => {
      const { text, metadata } = heads[at] ?? { text: "", metadata: {} };
      return [versionId, dateOfDocument(text, { metadata, sourceDocId })];
    }),
  );
}

function shareOf(
  date: string | null,
  { moment, isOfThen }: { readonly moment: Moment; readonly isOfThen: boolean },
): number {
  if (date === null) return 1;
  const asked = monthsOf(moment.date, MONTHS);
  if (date <= endOf(moment))
    return 1 - Math.min(OLDER.most, OLDER.perMonth * Math.max(0, asked - monthsOf(date, MONTHS)));
  // A document names the year that it is of, whatever it tells.
  if (isOfThen && !date.startsWith(yearOf(moment))) return 1;
  const last = monthsOf(moment.until ?? moment.date, MONTHS);
  return 1 - Math.min(LATER.most, LATER.atOnce + LATER.perMonth * (monthsOf(date, 1) - last));
}

/** Months since the year 0; `month` where the date has none. */
function monthsOf(date: string, month: number): number {
  const [year = 0, known = month] = date.split("-").map(Number);
  return MONTHS * year + known;
}

function yearOf({ date }: Moment): string {
  return date.slice(0, 4);
}
