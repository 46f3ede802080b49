/** The entities at the ends of edges, and the edges between other names of these entities. */
import { type RawBuilder, sql } from "kysely";
import type { WalkedEdge } from "../../../ports/graph-browser.ts";
import type { Database } from "../schema.ts";
import { readMembers } from "./graph-nodes.ts";
import { keyOfEdge } from "./graph-places.ts";
import type { EdgeTable } from "./graph-quotes.ts";
import { isOf, type Row, selectFor, selectIn } from "./graph-sql.ts";

/** Limit of pairs of names that are looked up; the pairs of two entities are at most 4,096. */
const maxPairs = 16_384;

/** A name of an edge. */
export interface End {
  readonly nodeId: number;
  /** null: the name is no entity. */
  readonly entityId: number | null;
  readonly type: string;
  readonly key: string;
}

/** Keyed by node; without nodes of other projects. */
export function readEnds(
  db: Database,
  projectId: string,
  edges: readonly Pick<WalkedEdge, "source" | "target">[],
): Promise<ReadonlyMap<number, End>> {
  return readNodeEnds(
    db,
    projectId,
    edges.flatMap(({ source, target }) => [source, target]),
  );
}

/** As `readEnds`, of these nodes. */
export async function readNodeEnds(
  db: Database,
  projectId: string,
  nodes: readonly number[],
): Promise<ReadonlyMap<number, End>> {
  const rows = await selectIn<{ node_id: number; entity_id: number | null; type: string; name_key: string }>(
    db,
    nodes,
    (list) => sql`select node_id, entity_id, type, name_key from entities
      where node_id in (${list}) and ${isOf(projectId)}`,
  );
  return new Map(
    rows.map((row) => [
      row.node_id,
      { nodeId: row.node_id, entityId: row.entity_id, type: row.type, key: row.name_key },
    ]),
  );
}

/** An edge with the edges of its type that may exist between names of the same two entities, itself among them. */
export interface PairedEdge {
  readonly edge: WalkedEdge;
  readonly pairs: readonly WalkedEdge[];
}

/** The first edges, as many as can be looked up in one operation, at least one. Those that have lost an end are left out. */
export async function pairEdges(
  db: Database,
  edges: readonly WalkedEdge[],
  ends: ReadonlyMap<number, End>,
): Promise<{ readonly paired: readonly PairedEdge[]; readonly taken: number }> {
  const ids = [...ends.values()].flatMap(({ entityId }) => entityId ?? []);
  const members = await readMembers(db, ids);
  const namesOf = ({ nodeId, entityId }: End) => members.get(entityId ?? 0) ?? [nodeId];
  const paired: PairedEdge[] = [];
  let left = maxPairs;
  let taken = 0;
  for (const edge of edges) {
    const [source, target] = [ends.get(edge.source), ends.get(edge.target)];
    if (source !== undefined && target !== undefined) {
      const [sources, targets] = [namesOf(source), namesOf(target)];
      left -= sources.length * targets.length;
      if (left < 0 && taken > 0) break;
      const pairs = sources.flatMap((from) =>
        targets.map((to) => ({ source: from, target: to, type: edge.type, chunks: 0, confidence: 0 })),
      );
      paired.push({ edge, pairs });
    }
    taken += 1;
  }
  return { paired, taken };
}

/** The edges that no relationship of the same type joins under any names of the entities. */
export async function withoutAsserted(
  db: Database,
  paired: readonly PairedEdge[],
): Promise<readonly PairedEdge[]> {
  const rows = await selectFor<{ source_node: number; target_node: number; type: string }>(db, {
    columns: { source_node: "bigint", target_node: "bigint", type: "text" },
    rows: rowsOf(paired.flatMap(({ pairs }) => pairs)),
    query: sql`select k.source_node, k.target_node, k.type from keys as k
      where exists (select 1 from relationship_places as r
        where r.source_node = k.source_node and r.target_node = k.target_node and r.type = k.type)`,
  });
  const asserted = new Set(rows.map((row) => keyOfEdge(row.source_node, row.target_node, row.type)));
  return paired.filter(
    ({ pairs }) => !pairs.some(({ source, target, type }) => asserted.has(keyOfEdge(source, target, type))),
  );
}

/** The edges that exist between these names, with the numbers of chunks that state them and whose places `p` meet the condition; keyed by `keyOfEdge`. */
export async function countEdges(
  db: Database,
  { table, condition }: { readonly table: EdgeTable; readonly condition: RawBuilder<unknown> },
  edges: readonly WalkedEdge[],
): Promise<ReadonlyMap<string, WalkedEdge>> {
  const confidence = table === "proposal_places" ? sql`max(p.confidence)` : sql`0`;
  const rows = await selectFor<WalkedEdge>(db, {
    columns: { source_node: "bigint", target_node: "bigint", type: "text" },
    rows: rowsOf(edges),
    query: sql`select p.source_node as source, p.target_node as target, p.type, count(*) as chunks,
        ${confidence} as confidence
      from keys as k cross join ${sql.table(table)} as p
      where p.source_node = k.source_node and p.target_node = k.target_node and p.type = k.type
        and ${condition}
      group by p.source_node, p.target_node, p.type`,
  });
  return new Map(rows.map((row) => [keyOfEdge(row.source, row.target, row.type), row]));
}

function rowsOf(edges: readonly WalkedEdge[]): readonly Row[] {
  const distinct = new Map(edges.map((edge) => [keyOfEdge(edge.source, edge.target, edge.type), edge]));
  return [...distinct.values()].map(({ source, target, type }): Row => [source, target, type]);
}
