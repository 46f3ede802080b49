/**
 * The graph of a project: places and counts of what the chunks of its live versions contribute. What a version contributes is
 * added when it comes to be seen and taken away when it goes, by the same rows, so that the graph is a function of what is there and
 * not of how it came about. All versions of a batch are one change: its statements are few and meet each page once. The caller
 * holds the project's lock.
 *
 * `cross join` in these files means: in this order. Without statistics SQLite would as soon begin with all rows of the table
 * that is looked up; to PostgreSQL it is a join like any other.
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

/** All led by `project_id`. */
export const graphTables = ["entity_types", "relationship_types", "entities"] as const;
const nodeTables = {
  entity_joins: "node_a",
  entity_places: "node_id",
  entity_properties: "node_id",
  property_places: "node_id",
  relationship_places: "source_node",
} as const;

export interface GraphChange {
  readonly projectId: string;
  /** Parts that come to be seen, with their evidence written already; of a version at most one. */
  readonly added: readonly VersionPart[];
  /** Live versions that go, none of which is among those added; their evidence is still there. */
  readonly removed: readonly number[];
}

/** Tells what is new by each of the added parts, by version; what several bring counts for the first of them. */
export async function changeGraph(db: Database, change: GraphChange): Promise<ReadonlyMap<number, Created>> {
  const { projectId } = change;
  const gone = change.removed.map((versionId) => ({ versionId, from: 0 }));
  const evidence = [
    ...inOrderOf(change.added, await readEvidence(db, projectId, change.added)),
    ...(await readEvidence(db, projectId, gone)),
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

  const lives = await changeLives(db, nodes, { added, removed });
  const joined = await changeJoins(db, { added, removed });
  const changed = [...new Set([...joined, ...(await findPartners(db, [...lives.born, ...lives.died]))])];
  const moves = await resolveEntities(db, changed);
  await removeUnused(db, [...lives.died, ...joined]);

  const newEdges = places.added.edges.filter((edge) => !oldEdges.has(edge.key));
  const lostEdges = places.removed.edges.filter((edge) => !leftEdges.has(edge.key));
  await changeCounts(db, projectId, { nodes, ...lives, moves, newEdges, lostEdges });
  return countCreated(db, { added, born: lives.born, entityOf: entityOf(nodes, lives, moves), newEdges });
}

/** Chunks in the order of the parts: of the jobs of the batch. */
function inOrderOf(parts: readonly VersionPart[], chunks: readonly FactsOfChunk[]): readonly FactsOfChunk[] {
  const byVersion = Map.groupBy(chunks, (chunk) => chunk.versionId);
  return parts.flatMap(({ versionId }) => byVersion.get(versionId) ?? []);
}

export interface Lives {
  /** Nodes that were not live. */
  readonly born: ReadonlySet<number>;
  /** Nodes that are not live any more. */
  readonly died: ReadonlySet<number>;
}

interface Chunks {
  readonly added: readonly NumberedChunk[];
  readonly removed: readonly NumberedChunk[];
}

/** To be called once the places are changed. */
async function changeLives(db: Database, nodes: Nodes, { added, removed }: Chunks): Promise<Lives> {
  const now = supportedBy(added);
  const born = new Set([...now].filter((node) => nodes.get(node)?.entityId === null));
  const left = [...supportedBy(removed)].filter((node) => !now.has(node));
  const supported = await findSupported(db, left);
  const died = new Set(left.filter((node) => !supported.has(node)));
  await setLive(db, born, true);
  await setLive(db, died, false);
  return { born, died };
}

function supportedBy(chunks: readonly NumberedChunk[]): ReadonlySet<number> {
  return new Set(chunks.flatMap(({ facts, ids }) => ids.slice(0, facts.supported)));
}

/** The ends of joins that came or went. */
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
  const gone = counted.filter((row) => row.chunks === 0);
  await deleteAll(db, {
    table: "entity_joins",
    columns: { node_a: "bigint", node_b: "bigint", origin: "text" },
    rows: gone.map((row): Row => [row.node_a, row.node_b, row.origin]),
  });
  const made = counted.filter(
    (row) => row.chunks === changes.get(`${row.node_a} ${row.node_b} ${row.origin}`)?.by,
  );
  return [...new Set([...gone, ...made].flatMap((row) => [row.node_a, row.node_b]))];
}

/** The entity of a node of the change, once it is made. */
function entityOf(nodes: Nodes, { born }: Lives, moves: readonly Move[]) {
  const entities = new Map<number, number>();
  for (const { nodeId, entityId } of nodes.values()) entities.set(nodeId, entityId ?? nodeId);
  for (const node of born) entities.set(node, node);
  for (const { node, to } of moves) entities.set(node, to);
  return (node: number) => entities.get(node) ?? node;
}

/** What is led by nodes; `graphTables` are left to the caller. */
export async function removeNodeRows(db: Database, projectId: string): Promise<void> {
  for (const [table, node] of Object.entries(nodeTables)) {
    await sql`delete from ${sql.table(table)} where ${sql.ref(node)} in
      (select node_id from entities where project_id = ${projectId})`.execute(db);
  }
}
