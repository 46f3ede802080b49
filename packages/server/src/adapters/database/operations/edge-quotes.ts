/** Reads the surest sentences that state relationships and proposals. */
import { sql } from "kysely";
import type { ChunkKey } from "../../../domain/document.ts";
import type { RelationshipPlace } from "../../../ports/graph-store.ts";
import type { Database } from "../schema.ts";
import { findHeld, mayHold, type Timed, timeColumns } from "./edge-times.ts";
import { keyOfEdge } from "./graph-places.ts";
import {
  maxPlaces,
  type NodeEdge,
  readFacts,
  readNames,
  type StatementOptions,
  statementsOf,
  surestSentences,
  textOfKey,
} from "./graph-quotes.ts";
import { isPresent, type Row, selectFor } from "./graph-sql.ts";

/** Where chunks overlap, a sentence is in two of them. */
const maxChunksOfEdge = 2 * maxPlaces;
/** Limits of edges whose sentences are read: in all, but of each relationship at least the second number. */
const maxParts = 2_048;
const minParts = 8;
/** Places of an edge of which is looked up whether they hold, one limit after the other, and the limit of all behind the first ones. */
const maxFirst = 2 * maxChunksOfEdge;
const growth = 8;
const lookedLimits = [maxFirst, growth * maxFirst, growth ** 2 * maxFirst];
const maxLooked = 20_000;
/** Limit of what is looked up for them. */
const maxDecided = 16_384;
/** Separators of rows and columns in an aggregated list, and what is in place of null. */
const rowEnd = "\n";
const columnEnd = "\t";
const none = "-";
const { lit } = sql;

/** An edge, and how many chunks state it. */
type CountedEdge = NodeEdge & { readonly chunks: number };

/** The surest sentences of each group of edges, in the order of the groups. */
export async function readSurestSentences(
  db: Database,
  input: { projectId: string; groups: readonly (readonly CountedEdge[])[] } & StatementOptions,
): Promise<readonly (readonly RelationshipPlace[])[]> {
  const { projectId, groups, ...options } = input;
  const most = Math.max(minParts, Math.floor(maxParts / groups.length));
  const kept = groups.map((edges) =>
    edges.length <= most ? edges : edges.toSorted((a, b) => b.chunks - a.chunks).slice(0, most),
  );
  const edges = kept.flat();
  const places = await readSurestPlaces(db, { projectId, edges, ...options });
  const placesOf = ({ source, target, type }: NodeEdge) => places.get(keyOfEdge(source, target, type)) ?? [];
  const chunks = kept.map((parts) => firstChunks(parts.flatMap(placesOf)));
  const facts = await readFacts(
    db,
    projectId,
    chunks.flatMap((first) => [...first.values()]),
  );
  const names = await readNames(
    db,
    projectId,
    edges.flatMap(({ source, target }) => [source, target]),
  );
  return kept.map((parts, at) => {
    const found = parts.flatMap((part) => {
      const edge = {
        source: names.get(part.source) ?? "",
        target: names.get(part.target) ?? "",
        type: part.type,
      };
      return placesOf(part)
        .map(textOfKey)
        .filter((key) => chunks[at]?.has(key))
        .flatMap((key) => statementsOf(facts.get(key), edge, options));
    });
    return surestSentences(found);
  });
}

/** Of the chunks of several edges between the same entities, which often have a chunk in common, the surest; keyed by `textOfKey`. */
function firstChunks(places: readonly HeldPlace[]): ReadonlyMap<string, ChunkKey> {
  const chunks = new Map<string, ChunkKey>();
  for (const place of places.toSorted(bySurest)) {
    if (chunks.size === maxChunksOfEdge) break;
    chunks.set(textOfKey(place), place);
  }
  return chunks;
}

interface HeldPlace extends ChunkKey, Timed {
  readonly confidence: number;
}

function bySurest(a: HeldPlace, b: HeldPlace): number {
  return b.confidence - a.confidence || a.versionId - b.versionId || a.position - b.position;
}

/** The surest places of each edge, keyed by `keyOfEdge`; more are looked through where the first ones do not hold then. */
async function readSurestPlaces(
  db: Database,
  { projectId, edges, ...options }: { projectId: string; edges: readonly NodeEdge[] } & StatementOptions,
): Promise<ReadonlyMap<string, readonly HeldPlace[]>> {
  const { asOf = null } = options;
  const found = new Map<string, readonly HeldPlace[]>();
  let left = edges;
  let rows = maxLooked;
  for (const limit of asOf === null ? [maxChunksOfEdge] : lookedLimits) {
    const looked = left;
    const read = await readPlacesOf(db, looked, { projectId, limit, ...options });
    const { held } = await findHeld(db, read.flat(), { projectId, moment: asOf, limit: maxDecided });
    const ofEdge = Map.groupBy(held, ({ source, target, type }) => keyOfEdge(source, target, type));
    for (const [key, places] of ofEdge) found.set(key, places.slice(0, maxChunksOfEdge));
    if (limit > maxFirst) rows -= read.flat().length;
    const next = looked.filter(({ source, target, type }, at) => {
      const isWhole = (ofEdge.get(keyOfEdge(source, target, type))?.length ?? 0) >= maxChunksOfEdge;
      return !isWhole && read[at]?.length === limit;
    });
    left = next.slice(0, Math.floor(rows / (limit * growth)));
    if (left.length === 0) break;
  }
  return found;
}

/** The first places of each edge that may hold then, the surest first, in the order of the edges. */
async function readPlacesOf(
  db: Database,
  edges: readonly NodeEdge[],
  input: { projectId: string; limit: number } & StatementOptions,
): Promise<readonly (readonly HeldPlace[])[]> {
  const { projectId, limit, table = "relationship_places", asOf = null } = input;
  const columns = ["version_id", "position", "confidence", "known", "turn", "begun", "ended"];
  const texts = columns.map((name) => sql`coalesce(cast(${sql.ref(name)} as text), ${lit(none)})`);
  const rows = await selectFor<NodeEdge & { places: string | null }>(db, {
    columns: { source_node: "bigint", target_node: "bigint", type: "text" },
    rows: edges.map(({ source, target, type }): Row => [source, target, type]),
    query: sql`select k.source_node as source, k.target_node as target, k.type,
      (select string_agg(${sql.join(texts, sql` || ${lit(columnEnd)} || `)}, ${lit(rowEnd)}) from (
        select version_id, position, confidence, ${timeColumns("r", asOf)} from ${sql.table(table)} as r
        where r.project_id = ${projectId} and r.source_node = k.source_node and r.target_node = k.target_node and r.type = k.type
          and ${isPresent(projectId, "r.version_id")} and ${mayHold("r", asOf)}
        order by confidence desc, version_id, position limit ${lit(limit)}) as first) as places
      from keys as k where k.source_node is not null`,
  });
  const found = new Map(
    rows.map(({ places, ...edge }) => [
      keyOfEdge(edge.source, edge.target, edge.type),
      (places === null ? [] : places.split(rowEnd)).map((row) => toHeldPlace(edge, row)).sort(bySurest),
    ]),
  );
  return edges.map(({ source, target, type }) => found.get(keyOfEdge(source, target, type)) ?? []);
}

function toHeldPlace({ source, target, type }: NodeEdge, row: string): HeldPlace {
  const [versionId, position, confidence, known, turn, begun, ended] = row.split(columnEnd);
  const textOf = (column: string | undefined) => (column === undefined || column === none ? null : column);
  return {
    ...{ source, target, type, versionId: Number(versionId), position: Number(position) },
    ...{ confidence: Number(confidence), known: textOf(known), turn: textOf(turn) },
    ...{ begun: Number(begun), ended: Number(ended) },
  };
}
