/** The entities at the ends of edges, and the edges between other names of these entities. */
import { sql } from "kysely";
import type { WalkedEdge } from "../../../ports/graph-browser.ts";
import type { Database } from "../schema.ts";
import { readMembers } from "./graph-nodes.ts";
import { keyOfEdge } from "./graph-places.ts";
import type { EdgeTable, NodeEdge } from "./graph-quotes.ts";
import { type Row, selectFor, selectIn } from "./graph-sql.ts";

/** Limit of pairs of names that are looked up; the pairs of two entities are at most as many. */
const maxPairs = 4_096;

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
      where project_id = ${projectId} and node_id in (${list})`,
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
  /** In the order of their numbers. Edges between the same entities share the list. */
  readonly pairs: readonly WalkedEdge[];
}

/** The first edges, as many as can be looked up in one operation, at least one. Those that have lost an end are left out. */
export async function pairEdges(
  db: Database,
  projectId: string,
  { edges, ends }: { readonly edges: readonly WalkedEdge[]; readonly ends: ReadonlyMap<number, End> },
): Promise<{ readonly paired: readonly PairedEdge[]; readonly taken: number }> {
  const ids = [...ends.values()].flatMap(({ entityId }) => entityId ?? []);
  const members = await readMembers(db, projectId, ids);
  const namesOf = ({ nodeId, entityId }: End) =>
    (members.get(entityId ?? 0) ?? [nodeId]).toSorted((a, b) => a - b);
  const numberOf = ({ nodeId, entityId }: End) => entityId ?? nodeId;
  const known = new Map<string, readonly WalkedEdge[]>();
  const paired: PairedEdge[] = [];
  let left = maxPairs;
  let taken = 0;
  for (const edge of edges) {
    const { type } = edge;
    const [source, target] = [ends.get(edge.source), ends.get(edge.target)];
    if (source !== undefined && target !== undefined) {
      const key = keyOfEdge(numberOf(source), numberOf(target), type);
      let pairs = known.get(key);
      if (pairs === undefined) {
        const [sources, targets] = [namesOf(source), namesOf(target)];
        left -= sources.length * targets.length;
        if (left < 0 && taken > 0) break;
        pairs = sources.flatMap((from) =>
          targets.map((to) => ({ source: from, target: to, type, chunks: 0, confidence: 0 })),
        );
        known.set(key, pairs);
      }
      paired.push({ edge, pairs });
    }
    taken += 1;
  }
  return { paired, taken };
}

/** The keys (`keyOfEdge`) of the edges between these names that some chunk states. */
export async function findStated(
  db: Database,
  projectId: string,
  { table, paired }: { readonly table: EdgeTable; readonly paired: readonly PairedEdge[] },
): Promise<ReadonlySet<string>> {
  const edges = [...new Set(paired.map(({ pairs }) => pairs))].flat();
  const rows = await selectFor<NodeEdge>(db, {
    columns: { source_node: "bigint", target_node: "bigint", type: "text" },
    rows: rowsOf(edges),
    query: sql`select k.source_node as source, k.target_node as target, k.type from keys as k
      where exists (select 1 from ${sql.table(table)} as r
        where r.project_id = ${projectId} and r.source_node = k.source_node and r.target_node = k.target_node and r.type = k.type)`,
  });
  return new Set(rows.map(({ source, target, type }) => keyOfEdge(source, target, type)));
}

/** The edges that no relationship of the same type joins under any names of the entities. */
export async function withoutAsserted(
  db: Database,
  projectId: string,
  paired: readonly PairedEdge[],
): Promise<readonly PairedEdge[]> {
  const asserted = await findStated(db, projectId, { table: "relationship_places", paired });
  const isAsserted = new Map<PairedEdge["pairs"], boolean>();
  for (const { pairs } of paired) {
    if (isAsserted.has(pairs)) continue;
    isAsserted.set(
      pairs,
      pairs.some(({ source, target, type }) => asserted.has(keyOfEdge(source, target, type))),
    );
  }
  return paired.filter(({ pairs }) => !isAsserted.get(pairs));
}

/** The proposals that exist between these names, with the numbers of chunks that state them; keyed by `keyOfEdge`. */
export async function countProposals(
  db: Database,
  projectId: string,
  edges: readonly WalkedEdge[],
): Promise<ReadonlyMap<string, WalkedEdge>> {
  const rows = await selectFor<WalkedEdge>(db, {
    columns: { source_node: "bigint", target_node: "bigint", type: "text" },
    rows: rowsOf(edges),
    query: sql`select p.source_node as source, p.target_node as target, p.type, count(*) as chunks,
        max(p.confidence) as confidence
      from keys as k cross join proposal_places as p
      where p.project_id = ${projectId} and p.source_node = k.source_node and p.target_node = k.target_node and p.type = k.type
      group by p.source_node, p.target_node, p.type`,
  });
  return new Map(rows.map((row) => [keyOfEdge(row.source, row.target, row.type), row]));
}

function rowsOf(edges: readonly WalkedEdge[]): readonly Row[] {
  const distinct = new Map(edges.map((edge) => [keyOfEdge(edge.source, edge.target, edge.type), edge]));
  return [...distinct.values()].map(({ source, target, type }): Row => [source, target, type]);
}
