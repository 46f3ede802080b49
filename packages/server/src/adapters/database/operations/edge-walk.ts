/**
 * Walks the places of edges in the order of an index, a bounded number of rows at a time, and counts them by edge: an
 * operation that walks all edges of a large graph would keep the other reads of SQLite's only reader waiting.
 */
import { type RawBuilder, sql } from "kysely";
import type { Moment } from "../../../domain/validity.ts";
import type { EdgePlace, WalkedEdge } from "../../../ports/graph-browser.ts";
import type { Database } from "../schema.ts";
import { padded, partsOf } from "./bulk.ts";
import { findHeld, mayHold, type Timed, timeColumns, timeNames } from "./edge-times.ts";
import { keyOfEdge } from "./graph-places.ts";
import type { EdgeTable, NodeEdge } from "./graph-quotes.ts";
import { type Row, selectFor } from "./graph-sql.ts";

/** Limit of rows of a step; deciding which rows to read, and where to stop, walks a few times as many. */
const maxRows = 4_096;
/** Limit of names of a step. */
export const maxWalkedNodes = 256;
/** Up to this number, the places of a name are read together with those of others. */
const maxFew = 64;
/** Pairs of names of which the places are counted at once. */
const maxCounted = 256;
/** After all places of an edge. */
const lastPlace = Number.MAX_SAFE_INTEGER;
const { lit } = sql;

interface Walk {
  readonly projectId: string;
  readonly table: EdgeTable;
  /** The end of the edges that `nodes` are. */
  readonly own: "source" | "target";
  /** A condition on the places `p`; places that do not meet it are walked, too. */
  readonly condition: RawBuilder<unknown>;
  /** Of relationships: only statements that hold then count; null: all. */
  readonly asOf: Moment | null;
  /** Edges with as many chunks or fewer can be left out. */
  readonly floor: number;
}

export interface EdgeStep {
  /** In the order of the walk. The last one goes on in the next step if it ends at the edge of `next`. */
  readonly edges: readonly WalkedEdge[];
  /** null: all places have been walked. */
  readonly next: EdgePlace | null;
}

/** Places of one edge, as far as their times differ. */
interface FoundRow extends Timed {
  readonly chunks: number;
  readonly confidence: number;
}

/** All edges of a name, or the one edge between two names. */
export interface CountedUnit {
  readonly node: number;
  readonly edge?: Pick<EdgePlace, "other" | "type">;
  /** Counted up to one more than `maxFew`; null: not counted, so that the step ends before it. */
  readonly places: number | null;
}

/** Walks the places of these names or edges one after another; those of the first one from behind `after`, if that is its place. */
export async function walkPlaces(
  db: Database,
  walk: Walk & { readonly units: readonly CountedUnit[]; readonly after: EdgePlace | null },
): Promise<EdgeStep> {
  const [first] = walk.units;
  const after = walk.after !== null && first !== undefined && isIn(walk.after, first) ? walk.after : null;
  const few: CountedUnit[] = [];
  const many: FoundRow[] = [];
  let left = maxRows;
  let next: EdgePlace | null = null;
  for (const unit of walk.units) {
    const isResumed = unit === first && after !== null;
    if (unit.places === null || unit.places > left) {
      next = placeBefore(unit);
      break;
    }
    if (unit.places <= maxFew && !isResumed) {
      if (unit.places > 0) few.push(unit);
      left -= unit.places;
      continue;
    }
    const read = await readMany(db, walk, {
      unit,
      after: isResumed ? after : placeBefore(unit),
      limit: left,
    });
    many.push(...read.rows);
    left -= read.walked;
    if (read.end !== null) {
      next = read.end;
      break;
    }
  }
  const { unitOf, keyOf } = keysOf(walk);
  const found = Map.groupBy([...many, ...(await readFew(db, walk, few))], unitOf);
  const rows = walk.units.flatMap((unit) => found.get(keyOf(unit)) ?? []);
  const { held, taken } = await findHeld(db, rows, { projectId: walk.projectId, moment: walk.asOf });
  const cut = rows[taken];
  if (cut !== undefined) next = placeBefore(unitOfEdge(cut, walk.own));
  // The floor does not apply to what may go on in another step.
  const isPart = (edge: WalkedEdge) => [after, next].some((at) => at !== null && isAt(at, edge, walk.own));
  return { edges: sumUp(held).filter((edge) => edge.chunks > walk.floor || isPart(edge)), next };
}

function isIn({ node, other, type }: EdgePlace, unit: CountedUnit): boolean {
  if (node !== unit.node) return false;
  return unit.edge === undefined || (unit.edge.other === other && unit.edge.type === type);
}

function placeBefore({ node, edge }: Omit<CountedUnit, "places">): EdgePlace {
  return { node, ...(edge ?? { other: 0, type: "" }), versionId: 0, position: -1 };
}

/** The place behind all places of the edge. */
export function placeAfter(edge: WalkedEdge, own: Walk["own"]): EdgePlace {
  return { ...placeBefore(unitOfEdge(edge, own)), versionId: lastPlace, position: lastPlace };
}

function unitOfEdge({ source, target, type }: NodeEdge, own: Walk["own"]) {
  const [node, other] = own === "source" ? [source, target] : [target, source];
  return { node, edge: { other, type } };
}

function isAt(place: EdgePlace, edge: NodeEdge, own: Walk["own"]): boolean {
  return isIn(place, { ...unitOfEdge(edge, own), places: null });
}

/** The keys of units: of names their numbers. */
function keysOf({ units, own }: { readonly units: readonly CountedUnit[]; readonly own: Walk["own"] }) {
  const keyOf = ({ node, edge }: Omit<CountedUnit, "places">) =>
    edge === undefined ? String(node) : keyOfEdge(node, edge.other, edge.type);
  const isOfEdges = units[0]?.edge !== undefined;
  const unitOf = (row: FoundRow) => {
    const unit = unitOfEdge(row, own);
    return keyOf(isOfEdges ? unit : { node: unit.node });
  };
  return { unitOf, keyOf };
}

/** Rows of one edge follow each other. */
function sumUp(rows: readonly FoundRow[]): readonly WalkedEdge[] {
  const edges: { source: number; target: number; type: string; chunks: number; confidence: number }[] = [];
  for (const { source, target, type, chunks, confidence } of rows) {
    const last = edges.at(-1);
    if (last?.source !== source || last.target !== target || last.type !== type) {
      edges.push({ source, target, type, chunks, confidence });
      continue;
    }
    last.chunks += chunks;
    last.confidence = Math.max(last.confidence, confidence);
  }
  return edges;
}

/** In the order of the nodes. */
export async function countNodes(
  db: Database,
  walk: Pick<Walk, "projectId" | "table" | "own">,
  nodes: readonly number[],
): Promise<readonly CountedUnit[]> {
  const rows = await selectFor<{ node: number; places: number }>(db, {
    columns: { node_id: "bigint" },
    rows: nodes.slice(0, maxWalkedNodes).map((node): Row => [node]),
    query: sql`select k.node_id as node, ${countPlaces(walk, "k.node_id")} as places
      from keys as k where k.node_id is not null`,
  });
  const counts = new Map(rows.map(({ node, places }) => [node, places]));
  return nodes.map((node) => ({ node, places: counts.get(node) ?? null }));
}

/** The number of places of the node in a column, as in `CountedUnit`. */
export function countPlaces(
  walk: Pick<Walk, "projectId" | "table" | "own">,
  node: string,
): RawBuilder<number> {
  const { table, own, other } = columnsOf(walk);
  return sql<number>`(select count(*) from (
    select 1 from ${table} as p
    where p.project_id = ${walk.projectId} and ${own} = ${sql.ref(node)} order by ${other} limit ${lit(maxFew + 1)}) as counted)`;
}

/** In the order of the edges, which are walked from their sources; as many as a step can walk. */
export async function countEdgePlaces(
  db: Database,
  { projectId, table }: Pick<Walk, "projectId" | "table">,
  edges: readonly NodeEdge[],
): Promise<readonly CountedUnit[]> {
  const units: CountedUnit[] = [];
  let left = maxRows;
  for (const part of partsOf(edges, maxCounted)) {
    const counts = new Map<string, number>();
    if (left > 0) {
      const rows = await selectFor<NodeEdge & { places: number }>(db, {
        columns: { source_node: "bigint", target_node: "bigint", type: "text" },
        rows: part.map(({ source, target, type }): Row => [source, target, type]),
        query: sql`select k.source_node as source, k.target_node as target, k.type, (select count(*) from (
            select 1 from ${sql.table(table)} as p
            where p.project_id = ${projectId} and p.source_node = k.source_node and p.target_node = k.target_node and p.type = k.type
            order by p.version_id limit ${lit(maxFew + 1)}) as counted) as places
          from keys as k where k.source_node is not null`,
      });
      for (const { source, target, type, places } of rows) {
        counts.set(keyOfEdge(source, target, type), places);
        left -= places;
      }
    }
    for (const { source, target, type } of part) {
      const places = counts.get(keyOfEdge(source, target, type)) ?? null;
      units.push({ node: source, edge: { other: target, type }, places });
    }
  }
  return units;
}

/** Complete edges. */
async function readFew(
  db: Database,
  walk: Walk,
  units: readonly CountedUnit[],
): Promise<readonly FoundRow[]> {
  if (units.length === 0) return [];
  const { table, own } = columnsOf(walk);
  const pairs = units.flatMap(({ node, edge }): Row[] =>
    edge === undefined ? [] : [[node, edge.other, edge.type]],
  );
  if (pairs.length > 0)
    return selectFor<FoundRow>(db, {
      columns: { source_node: "bigint", target_node: "bigint", type: "text" },
      rows: pairs,
      query: countRows(
        walk,
        sql`select p.* from keys as k cross join ${table} as p
          where p.project_id = ${walk.projectId} and p.source_node = k.source_node and p.target_node = k.target_node and p.type = k.type`,
      ),
    });
  const nodes = units.map(({ node }) => node);
  const places = sql`select p.* from ${table} as p where p.project_id = ${walk.projectId} and ${own} in (${sql.join(padded(nodes))})`;
  return (await countRows(walk, places).execute(db)).rows;
}

/** The first `limit` places of a unit behind a place. `end`: the last of them, null if there are no more. */
async function readMany(
  db: Database,
  walk: Walk,
  { unit, after, limit }: { unit: CountedUnit; after: EdgePlace; limit: number },
): Promise<{ rows: readonly FoundRow[]; walked: number; end: EdgePlace | null }> {
  const { table, own, other } = columnsOf(walk);
  const ofEdge = unit.edge && sql`and ${other} = ${unit.edge.other} and p.type = ${unit.edge.type}`;
  // Ordered like the index and limited, so that PostgreSQL stops as well, however many places of the node it expects.
  const behind = sql`from ${table} as p where p.project_id = ${walk.projectId} and ${own} = ${after.node} ${ofEdge ?? sql``}
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
  const { rows } = await countRows(walk, sql`select p.* ${behind} limit ${limit}`).execute(db);
  return { rows, walked, end };
}

/** Those of the places that meet the conditions, in the order of the walk. */
function countRows({ table, own, condition, asOf }: Walk, places: RawBuilder<unknown>): RawBuilder<FoundRow> {
  const isProposal = table === "proposal_places";
  const order = sql.raw(own === "source" ? "source, target" : "target, source");
  return sql<FoundRow>`select source, target, type, ${timeNames}, count(*) as chunks, max(confidence) as confidence
    from (select p.source_node as source, p.target_node as target, p.type, ${timeColumns("p", asOf)},
        ${isProposal ? sql`p.confidence` : sql`0 as confidence`}
      from (${places}) as p where ${condition} and ${mayHold("p", asOf)}) as found
    group by source, target, type, ${timeNames} order by ${order}, type`;
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
  };
}
