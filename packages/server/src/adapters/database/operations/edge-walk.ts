/**
 * Walks the places of edges in the order of an index, a bounded number of rows at a time, and counts them by edge: an
 * operation that walks all edges of a large graph would keep the other reads of SQLite's only reader waiting.
 */
import { type RawBuilder, sql } from "kysely";
import type { EdgePlace, WalkedEdge } from "../../../ports/graph-browser.ts";
import type { Database } from "../schema.ts";
import { padded } from "./bulk.ts";
import type { EdgeTable } from "./graph-quotes.ts";
import { type Row, selectFor } from "./graph-sql.ts";

/** Limit of rows of a step; deciding which rows to read, and where to stop, walks a few times as many. */
const maxRows = 4_096;
/** Limit of names of a step. */
export const maxWalkedNodes = 256;
/** Up to this number, the places of a name are read together with those of others. */
const maxFew = 64;
/** After all places of an edge. */
const lastPlace = Number.MAX_SAFE_INTEGER;
const { lit } = sql;

interface Walk {
  readonly table: EdgeTable;
  /** The end of the edges that `nodes` are. */
  readonly own: "source" | "target";
  /** A condition on the places `p`; places that do not meet it are walked, too. */
  readonly condition: RawBuilder<unknown>;
  /** Edges with as many chunks or fewer can be left out. */
  readonly floor: number;
}

export interface EdgeStep {
  /** In the order of the walk. The last one goes on in the next step if it ends at the edge of `next`. */
  readonly edges: readonly WalkedEdge[];
  /** null: all places have been walked. */
  readonly next: EdgePlace | null;
}

interface FoundRow {
  readonly node: number;
  readonly other: number;
  readonly type: string;
  readonly chunks: number;
  readonly confidence: number;
}

export interface CountedNode {
  readonly node: number;
  /** Counted up to one more than `maxFew`; null: not counted, so that the step ends before it. */
  readonly places: number | null;
}

/** Walks the places of these nodes one node after another; those of the first one from behind `after`, if that is its place. */
export async function walkPlaces(
  db: Database,
  walk: Walk & { readonly nodes: readonly CountedNode[]; readonly after: EdgePlace | null },
): Promise<EdgeStep> {
  const after = walk.after !== null && walk.after.node === walk.nodes[0]?.node ? walk.after : null;
  const few: number[] = [];
  const many: FoundRow[] = [];
  let left = maxRows;
  let next: EdgePlace | null = null;
  for (const { node, places } of walk.nodes) {
    const isResumed = after?.node === node;
    if (places === null || places > left) {
      next = placeBefore(node);
      break;
    }
    if (places <= maxFew && !isResumed) {
      if (places > 0) few.push(node);
      left -= places;
      continue;
    }
    const read = await readMany(db, walk, { after: isResumed ? after : placeBefore(node), limit: left });
    many.push(...read.rows);
    left -= read.walked;
    if (read.end !== null) {
      next = read.end;
      break;
    }
  }
  const found = Map.groupBy([...many, ...(await readFew(db, walk, few))], ({ node }) => node);
  const edges = walk.nodes.flatMap(({ node }) => (found.get(node) ?? []).map((row) => toEdge(row, walk.own)));
  return { edges, next };
}

function placeBefore(node: number): EdgePlace {
  return { node, other: 0, type: "", versionId: 0, position: -1 };
}

/** The place behind all places of the edge. */
export function placeAfter({ source, target, type }: WalkedEdge, own: Walk["own"]): EdgePlace {
  const [node, other] = own === "source" ? [source, target] : [target, source];
  return { node, other, type, versionId: lastPlace, position: lastPlace };
}

function toEdge({ node, other, type, chunks, confidence }: FoundRow, own: Walk["own"]): WalkedEdge {
  const [source, target] = own === "source" ? [node, other] : [other, node];
  return { source, target, type, chunks, confidence };
}

/** In the order of the nodes. */
export async function countNodes(
  db: Database,
  walk: Pick<Walk, "table" | "own">,
  nodes: readonly number[],
): Promise<readonly CountedNode[]> {
  const rows = await selectFor<{ node: number; places: number }>(db, {
    columns: { node_id: "bigint" },
    rows: nodes.slice(0, maxWalkedNodes).map((node): Row => [node]),
    query: sql`select k.node_id as node, ${countPlaces(walk, "k.node_id")} as places
      from keys as k where k.node_id is not null`,
  });
  const counts = new Map(rows.map(({ node, places }) => [node, places]));
  return nodes.map((node) => ({ node, places: counts.get(node) ?? null }));
}

/** The number of places of the node in a column, as in `CountedNode`. */
export function countPlaces(walk: Pick<Walk, "table" | "own">, node: string): RawBuilder<number> {
  const { table, own, other } = columnsOf(walk);
  return sql<number>`(select count(*) from (
    select 1 from ${table} as p where ${own} = ${sql.ref(node)} order by ${other} limit ${lit(maxFew + 1)}) as counted)`;
}

/** Complete edges, so that the floor can be applied to each. */
async function readFew(db: Database, walk: Walk, nodes: readonly number[]): Promise<readonly FoundRow[]> {
  if (nodes.length === 0) return [];
  const { table, own, other, confidence } = columnsOf(walk);
  const { rows } = await sql<FoundRow>`
    select ${own} as node, ${other} as other, p.type, count(*) as chunks, ${confidence} as confidence
    from ${table} as p where ${own} in (${sql.join(padded(nodes))}) and ${walk.condition}
    group by ${own}, ${other}, p.type having count(*) > ${walk.floor}
    order by ${own}, ${other}, p.type`.execute(db);
  return rows;
}

/** The first `limit` places of one node behind a place. `end`: the last of them, null if there are no more. */
async function readMany(
  db: Database,
  walk: Walk,
  { after, limit }: { after: EdgePlace; limit: number },
): Promise<{ rows: readonly FoundRow[]; walked: number; end: EdgePlace | null }> {
  const { table, own, other, confidence } = columnsOf(walk);
  // Ordered like the index and limited, so that PostgreSQL stops as well, however many places of the node it expects.
  const behind = sql`from ${table} as p where ${own} = ${after.node}
    and (${other}, p.type, p.version_id, p.position)
      > (${after.other}, ${after.type}, ${after.versionId}, ${after.position})
    order by ${other}, p.type, p.version_id, p.position`;
  const counted = await sql<{ places: number }>`
    select count(*) as places from (select 1 as place ${behind} limit ${limit}) as first`.execute(db);
  const walked = counted.rows[0]?.places ?? 0;
  const end =
    walked < limit
      ? null
      : await readPlaceAt(
          db,
          { node: after.node, offset: limit - 1 },
          sql`
    select ${other} as other, p.type, p.version_id, p.position ${behind}`,
        );
  // The floor does not apply to what may go on in another step.
  const isPart = [after, end].flatMap((at) =>
    at === null ? [] : [sql`(other = ${at.other} and type = ${at.type})`],
  );
  const { rows } = await sql<Omit<FoundRow, "node">>`
    select other, p.type, count(*) as chunks, ${confidence} as confidence
    from (select ${other} as other, p.* ${behind} limit ${limit}) as p
    where ${walk.condition}
    group by other, p.type
    having count(*) > ${walk.floor} or ${sql.join(isPart, sql` or `)}
    order by other, p.type`.execute(db);
  return { rows: rows.map((row) => ({ node: after.node, ...row })), walked, end };
}

async function readPlaceAt(
  db: Database,
  { node, offset }: { node: number; offset: number },
  places: RawBuilder<unknown>,
): Promise<EdgePlace | null> {
  const { rows } = await sql<{ other: number; type: string; version_id: number; position: number }>`
    ${places} limit 1 offset ${offset}`.execute(db);
  const [row] = rows;
  if (row === undefined) return null;
  return { node, other: row.other, type: row.type, versionId: row.version_id, position: row.position };
}

function columnsOf({ table, own }: Pick<Walk, "table" | "own">) {
  const [ownColumn, otherColumn] =
    own === "source" ? ["p.source_node", "p.target_node"] : ["p.target_node", "p.source_node"];
  return {
    table: sql.table(table),
    own: sql.ref(ownColumn),
    other: sql.ref(otherColumn),
    confidence: table === "proposal_places" ? sql`max(p.confidence)` : sql`0`,
  };
}
