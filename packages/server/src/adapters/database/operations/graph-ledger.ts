/**
 * The graph of a project: places and counts of the facts in chunks of its live versions. A chunk's rows are
 * added when its version becomes visible, and the same rows are removed when that is deleted or replaced, so
 * the graph depends only on the present documents and not on their history. Many chunks are one change, which
 * needs few statements and visits each database page once. The caller holds the project's lock.
 *
 * `cross join` in these files fixes the join order. Without statistics, SQLite might start with a scan of the
 * table that is to be looked up; PostgreSQL treats it like any other join.
 */
import { sql } from "kysely";
import type { JoinOrigin } from "../graph-schema.ts";
import type { Database } from "../schema.ts";
import { followLiveNodes } from "./correction-additions.ts";
import { type Created, countCreated } from "./graph-created.ts";
import type { FactsOfChunk } from "./graph-evidence.ts";
import { readPartners } from "./graph-joins.ts";
import {
  findSupported,
  internNodes,
  type Nodes,
  type NumberedChunk,
  removeUnused,
  setLive,
} from "./graph-nodes.ts";
import { addPlaces, findEdges, placesOf, removePlaces } from "./graph-places.ts";
import { type JoinChanges, type Move, resolveEntities } from "./graph-resolve.ts";
import { deleteFrom, insertInto, type Row } from "./graph-sql.ts";
import { changeCounts } from "./graph-types.ts";

export interface GraphChange {
  readonly projectId: string;
  /** Chunks whose facts enter the graph, and chunks whose facts it has. */
  readonly added: readonly FactsOfChunk[];
  readonly removed: readonly FactsOfChunk[];
}

/**
 * Returns the numbers of new entities and relationships by version. What several added versions have in common
 * counts for the first.
 */
export async function changeGraph(db: Database, change: GraphChange): Promise<ReadonlyMap<number, Created>> {
  const { projectId } = change;
  const evidence = [...change.added, ...change.removed];
  if (evidence.length === 0) return new Map();
  const { nodes, numbered } = await internNodes(db, projectId, evidence);
  const added = numbered.slice(0, change.added.length);
  const removed = numbered.slice(change.added.length);

  const places = { added: placesOf(added), removed: placesOf(removed) };
  const oldEdges = await findEdges(db, projectId, places.added.edges);
  // Removed first: of a chunk whose facts a correction changes, both are there.
  await removePlaces(db, projectId, places.removed);
  await addPlaces(db, projectId, places.added);
  const leftEdges = await findEdges(db, projectId, places.removed.edges);

  const live = await changeLiveNodes(db, projectId, { nodes, added, removed });
  const stated = await followLiveNodes(db, projectId, { nodes, changed: [...live.born, ...live.died] });
  const joins = await changeJoins(db, projectId, { added, removed });
  const moves = await resolveEntities(db, projectId, { ...joins, relived: [...live.born, ...live.died] });
  await removeUnused(db, projectId, [...live.died, ...joins.joined, ...proposedBy(removed)]);

  const newEdges = places.added.edges.filter((edge) => !oldEdges.has(edge.key));
  const lostEdges = places.removed.edges.filter((edge) => !leftEdges.has(edge.key));
  await changeCounts(db, projectId, {
    ...{ nodes, ...live, moves },
    newEdges: [...newEdges, ...stated.newEdges],
    lostEdges: [...lostEdges, ...stated.lostEdges],
  });
  return countCreated(db, projectId, {
    added,
    born: live.born,
    entityOf: entityOf(nodes, live, moves),
    newEdges,
  });
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
async function changeLiveNodes(
  db: Database,
  projectId: string,
  { nodes, added, removed }: Chunks & { readonly nodes: Nodes },
): Promise<LiveChanges> {
  const supportedNow = supportedBy(added);
  const born = new Set([...supportedNow].filter((node) => nodes.get(node)?.entityId === null));
  const candidates = [...supportedBy(removed)].filter((node) => !supportedNow.has(node));
  const stillSupported = await findSupported(db, projectId, candidates);
  const died = new Set(candidates.filter((node) => !stillSupported.has(node)));
  await setLive(db, projectId, { nodes: born, isLive: true });
  await setLive(db, projectId, { nodes: died, isLive: false });
  return { born, died };
}

function supportedBy(chunks: readonly NumberedChunk[]): ReadonlySet<number> {
  return new Set(chunks.flatMap(({ facts, ids }) => ids.slice(0, facts.supported)));
}

function proposedBy(chunks: readonly NumberedChunk[]): readonly number[] {
  return chunks.flatMap(({ facts, ids }) =>
    (facts.proposals ?? []).flatMap(([source, target]) => [ids[source] ?? 0, ids[target] ?? 0]),
  );
}

/** Updates the counts of joins. */
async function changeJoins(
  db: Database,
  projectId: string,
  { added, removed }: Chunks,
): Promise<Pick<JoinChanges, "joined" | "former">> {
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
  // A name can get so many joins that its partners from before are no longer read.
  const partners = await readPartners(
    db,
    projectId,
    rows.filter(({ by }) => by > 0).flatMap(({ a, b }) => [a, b]),
  );
  const counted = await insertInto<{ node_a: number; node_b: number; origin: JoinOrigin; chunks: number }>(
    db,
    projectId,
    {
      table: "entity_joins",
      columns: { node_a: "bigint", node_b: "bigint", origin: "text", chunks: "bigint" },
      rows: rows.map(({ a, b, origin, by }) => [a, b, origin, by]),
      end: sql`on conflict (project_id, node_a, node_b, origin) do update set chunks = entity_joins.chunks + excluded.chunks
      returning node_a, node_b, origin, chunks`,
    },
  );
  const deleted = counted.filter((row) => row.chunks === 0);
  await deleteFrom(db, projectId, {
    table: "entity_joins",
    columns: { node_a: "bigint", node_b: "bigint", origin: "text" },
    rows: deleted.map((row): Row => [row.node_a, row.node_b, row.origin]),
  });
  const created = counted.filter(
    (row) => row.chunks === changes.get(`${row.node_a} ${row.node_b} ${row.origin}`)?.by,
  );
  const joined = [...new Set([...deleted, ...created].flatMap((row) => [row.node_a, row.node_b]))];
  return { joined, former: joined.flatMap((node) => partners.get(node) ?? []) };
}

/** Looks up the entity that a node of the change belongs to after the change. */
function entityOf(nodes: Nodes, { born }: LiveChanges, moves: readonly Move[]) {
  const entities = new Map<number, number>();
  for (const { nodeId, entityId } of nodes.values()) entities.set(nodeId, entityId ?? nodeId);
  for (const node of born) entities.set(node, node);
  for (const { node, to } of moves) entities.set(node, to);
  return (node: number) => entities.get(node) ?? node;
}
