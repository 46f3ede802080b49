/** Finds the time of an event that a question names: in the graph, else in the passages that were found for it. */
import type { EventTime } from "../../domain/event.ts";
import type { Question, RankedChunk } from "../../domain/query.ts";
import type { QuestionReader } from "../../ports/question-reader.ts";
import type { IndexStore } from "../../ports/store.ts";
import { type EventGraphDeps, findTimeInGraph } from "./event-relationships.ts";
import { findTimeInPassages } from "./event-time.ts";
import type { GraphRanking } from "./graph/rank.ts";
import { readDates } from "./rank-by-time.ts";
import { isReadable } from "./read-passages.ts";

export async function findEventTime(
  { projectId, seeks: event }: Question,
  {
    ranked,
    ranking,
    isFiltered,
  }: {
    /** Best first. */
    readonly ranked: readonly RankedChunk[];
    readonly ranking: GraphRanking | null;
    /** The graph tells of documents that the filter excludes. */
    readonly isFiltered: boolean;
  },
  deps: Pick<EventGraphDeps, "graph"> & {
    readonly store: EventGraphDeps["store"] & Pick<IndexStore, "readHeads">;
    /** null where it cannot be opened now. */
    readonly openReader: () => Promise<QuestionReader | null>;
  },
): Promise<EventTime | null> {
  if (event === undefined) return null;
  const keys = ranking === null || isFiltered ? [] : ranking.linked.map(({ name }) => name);
  const told = await findTimeInGraph(event, { projectId, keys }, deps);
  if (told !== null || !isReadable(event.query, ranked)) return told;
  const reader = await deps.openReader();
  if (reader === null) return null;
  const dates = await readDates(ranked, { projectId, store: deps.store });
  return findTimeInPassages(event, ranked, { dates, reader });
}
