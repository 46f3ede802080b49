/**
 * The graph of a project: places and counts of the facts in chunks of its live versions. A version's rows are
 * added when it becomes visible, and the same rows are removed when it is deleted or replaced, so the graph
 * depends only on the present documents and not on their history. All versions of a batch are one change,
 * which needs few statements and visits each database page once. The caller holds the project's lock.
 *
 * `cross join` in these files fixes the join order. Without statistics, SQLite might start with a scan of the
 * table that is to be looked up; PostgreSQL treats it like any other join.
 */
import { sql } from "kysely";
import type { JoinOrigin } from "../graph-schema.ts";
import type { Database } from "../schema.ts";
import { type Created, countCreated } from "./graph-created.ts";
import { type FactsOfChunk, readEvidence, type VersionPart } from "./graph-evidence.ts";
import {
  findSupported,
  internNodes,
  type Nodes,
  type NumberedChunk,
  removeUnused,
  setLive,
} from "./graph-nodes.ts";
import { addPlaces, findEdges, placesOf, removePlaces } from "./graph-places.ts";
import { findPartners, type Move, resolveEntities } from "./graph-resolve.ts";
import { deleteAll, insertAll, type Row } from "./graph-sql.ts";
import { changeCounts } from "./graph-types.ts";

/** Tables with `project_id` as their first key column. */
export const graphTables = ["entity_types", "relationship_types", "entities"] as const;
/** Tables without `project_id`, with the column that refers to a node. */
const nodeTables = {
  entity_joins: "node_a",
  entity_places: "node_id",
  entity_properties: "node_id",
  property_places: "node_id",
  relationship_places: "source_node",
} as const;

export interface GraphChange {
  readonly projectId: string;
  /** Parts that become visible; at most one per version. Their evidence is already written. */
  readonly added: readonly VersionPart[];
  /** Live versions to be removed, none of which is in `added`. Their evidence still exists. */
  readonly removed: readonly number[];
}

/**
 * Returns the numbers of new entities and relationships by version. What several added parts have in common
 * counts for the first.
 */
export async function changeGraph(db: Database, change: GraphChange): Promise<ReadonlyMap<number, Created>> {
  const { projectId } = change;
  const removedParts = change.removed.map((versionId) => ({ versionId, from: 0 }));
  const evidence = [
    ...inOrderOf(change.added, await readEvidence(db, projectId, change.added)),
    ...(await readEvidence(db, projectId, removedParts)),
  ];
  if (evidence.length === 0) return new Map();
  const { nodes, numbered } = await internNodes(db, projectId, evidence);
  const isRemoved = new Set(change.removed);
  const added = numbered.filter(({ versionId }) => !isRemoved.has(versionId));
  const removed = numbered.filter(({ versionId }) => isRemoved.has(versionId));

  const places = { added: placesOf(added), removed: placesOf(removed) };
  const oldEdges = await findEdges(db, places.added.edges);
  await addPlaces(db, places.added);
  await removePlaces(db, places.removed);
  const leftEdges = await findEdges(db, places.removed.edges);

  const live = await changeLiveNodes(db, nodes, { added, removed });
  const joined = await changeJoins(db, { added, removed });
  const changed = [...new Set([...joined, ...(await findPartners(db, [...live.born, ...live.died]))])];
  const moves = await resolveEntities(db, changed);
  await removeUnused(db, [...live.died, ...joined]);

  const newEdges = places.added.edges.filter((edge) => !oldEdges.has(edge.key));
  const lostEdges = places.removed.edges.filter((edge) => !leftEdges.has(edge.key));
  await changeCounts(db, projectId, { nodes, ...live, moves, newEdges, lostEdges });
  return countCreated(db, { added, born: live.born, entityOf: entityOf(nodes, live, moves), newEdges });
}

/** Puts chunks in the order of the parts, which is the order of the jobs in the batch. */
function inOrderOf(parts: readonly VersionPart[], chunks: readonly FactsOfChunk[]): readonly FactsOfChunk[] {
  const byVersion = Map.groupBy(chunks, (chunk) => chunk.versionId);
  return parts.flatMap(({ versionId }) => byVersion.get(versionId) ?? []);
}

export interface LiveChanges {
  /** Nodes that became live. */
  readonly born: ReadonlySet<number>;
  /** Nodes that are no longer live. */
  readonly died: ReadonlySet<number>;
}

interface Chunks {
  readonly added: readonly NumberedChunk[];
  readonly removed: readonly NumberedChunk[];
}

/** Call it after the places have been changed. */
async function changeLiveNodes(db: Database, nodes: Nodes, { added, removed }: Chunks): Promise<LiveChanges> {
  const supportedNow = supportedBy(added);
  const born = new Set([...supportedNow].filter((node) => nodes.get(node)?.entityId === null));
  const candidates = [...supportedBy(removed)].filter((node) => !supportedNow.has(node));
  const stillSupported = await findSupported(db, candidates);
  const died = new Set(candidates.filter((node) => !stillSupported.has(node)));
  await setLive(db, born, true);
  await setLive(db, died, false);
  return { born, died };
}

function supportedBy(chunks: readonly NumberedChunk[]): ReadonlySet<number> {
  return new Set(chunks.flatMap(({ facts, ids }) => ids.slice(0, facts.supported)));
}

/** Updates the counts of joins. Returns the nodes of joins that were created or deleted. */
async function changeJoins(db: Database, { added, removed }: Chunks): Promise<readonly number[]> {
  const changes = new Map<
    string,
    { readonly a: number; readonly b: number; origin: JoinOrigin; by: number }
  >();
  const count = (chunks: readonly NumberedChunk[], step: number) => {
    for (const { facts, ids } of chunks) {
      for (const [one, other, origin] of facts.joins) {
        const [x, y] = [ids[one] ?? 0, ids[other] ?? 0];
        const [a, b] = x < y ? [x, y] : [y, x];
        const key = `${a} ${b} ${origin}`;
        const change = changes.get(key) ?? { a, b, origin, by: 0 };
        changes.set(key, { ...change, by: change.by + step });
      }
    }
  };
  count(added, 1);
  count(removed, -1);
  const rows = [...changes.values()].filter(({ by }) => by !== 0).sort((x, y) => x.a - y.a || x.b - y.b);
  const counted = await insertAll<{ node_a: number; node_b: number; origin: JoinOrigin; chunks: number }>(
    db,
    {
      table: "entity_joins",
      columns: { node_a: "bigint", node_b: "bigint", origin: "text", chunks: "bigint" },
      rows: rows.map(({ a, b, origin, by }) => [a, b, origin, by]),
      end: sql`on conflict (node_a, node_b, origin) do update set chunks = entity_joins.chunks + excluded.chunks
      returning node_a, node_b, origin, chunks`,
    },
  );
  const deleted = counted.filter((row) => row.chunks === 0);
  await deleteAll(db, {
    table: "entity_joins",
    columns: { node_a: "bigint", node_b: "bigint", origin: "text" },
    rows: deleted.map((row): Row => [row.node_a, row.node_b, row.origin]),
  });
  const created = counted.filter(
    (row) => row.chunks === changes.get(`${row.node_a} ${row.node_b} ${row.origin}`)?.by,
  );
  return [...new Set([...deleted, ...created].flatMap((row) => [row.node_a, row.node_b]))];
}

/** Looks up the entity that a node of the change belongs to after the change. */
function entityOf(nodes: Nodes, { born }: LiveChanges, moves: readonly Move[]) {
  const entities = new Map<number, number>();
  for (const { nodeId, entityId } of nodes.values()) entities.set(nodeId, entityId ?? nodeId);
  for (const node of born) entities.set(node, node);
  for (const { node, to } of moves) entities.set(node, to);
  return (node: number) => entities.get(node) ?? node;
}

/** Deletes the project's rows of `nodeTables`. The caller deletes those of `graphTables` afterwards. */
export async function removeNodeRows(db: Database, projectId: string): Promise<void> {
  for (const [table, node] of Object.entries(nodeTables)) {
    await sql`delete from ${sql.table(table)} where ${sql.ref(node)} in
      (select node_id from entities where project_id = ${projectId})`.execute(db);
  }
}
