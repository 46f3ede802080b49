/** Finds the chunks that a new correction concerns: those of which the graph has facts that it can change. */
import { type RawBuilder, sql } from "kysely";
import type { Addition, CorrectionRule, VerdictRule } from "../../../domain/correction.ts";
import type { EntityKey } from "../../../domain/graph.ts";
import type { Database } from "../schema.ts";
import { type Columns, type Row, selectFor } from "./graph-sql.ts";

/** A rule that changes facts of texts. */
export type FactRule = Exclude<CorrectionRule, Addition>;

/** What facts of texts have of a rule: nodes, or pairs of them for a verdict. */
export interface Concerned {
  readonly columns: Columns;
  readonly rows: readonly Row[];
}

/** Lists them as outdated. */
export async function listConcerned(
  db: Database,
  { projectId, rule, concerned }: { projectId: string; rule: FactRule; concerned: Concerned },
): Promise<void> {
  await selectFor(db, {
    ...concerned,
    query: sql`insert into outdated_facts (project_id, version_id, position)
      select cast(${projectId} as text), version_id, position from (${placesOf(projectId, rule)}) as concerned
      where true on conflict do nothing`,
  });
}

/** The number of chunks that a correction concerns, counted up to one more than `limit`. */
export async function countConcerned(
  db: Database,
  {
    projectId,
    rule,
    concerned,
    limit,
  }: { projectId: string; rule: CorrectionRule; concerned: Concerned; limit: number },
): Promise<number> {
  if (rule.kind === "add_property" || rule.kind === "add_relationship") return 1;
  const counted = await selectFor<{ chunks: number }>(db, {
    ...concerned,
    query: sql`select count(*) as chunks from (select 1 from (${placesOf(projectId, rule)}) as concerned limit ${limit + 1}) as counted`,
  });
  return counted.reduce((sum, { chunks }) => sum + chunks, 0);
}

/** Of a verdict the pairs that texts relate. null: there are more than `maxPairs` to look for. */
export async function findConcerned(
  db: Database,
  { projectId, rule, maxPairs }: { projectId: string; rule: CorrectionRule; maxPairs: number },
): Promise<(Concerned & { readonly pairs: number }) | null> {
  const columns = { node_id: "bigint" } as const;
  if (rule.kind === "add_property" || rule.kind === "add_relationship")
    return { columns, rows: [], pairs: 0 };
  const nodes = await readNodes(db, projectId, ownNames(rule));
  if (rule.kind === "name" || rule.kind === "property")
    return { columns, rows: nodes.map((node): Row => [node]), pairs: 0 };
  const targets = await readNodesOfAnyType(db, projectId, rule.targets);
  const pairs = nodes.length * targets.length;
  if (pairs > maxPairs) return null;
  const ends = { node_id: "bigint", target_id: "bigint" } as const;
  const found = await selectFor<{ node_id: number; target_id: number }>(db, {
    columns: ends,
    rows: nodes.flatMap((node) => targets.map((target): Row => [node, target])),
    query: sql`select k.node_id, k.target_id from keys as k
      where exists (select 1 from relationship_places as p where ${isOfPair(projectId, rule)})
        or exists (select 1 from proposal_places as p where ${isOfPair(projectId, rule)})`,
  });
  return { columns: ends, rows: found.map((each): Row => [each.node_id, each.target_id]), pairs };
}

export function ownNames(rule: FactRule): readonly EntityKey[] {
  return rule.kind === "name" || rule.kind === "property" ? rule.names : rule.sources;
}

async function readNodes(
  db: Database,
  projectId: string,
  names: readonly EntityKey[],
): Promise<readonly number[]> {
  const rows = await selectFor<{ node_id: number }>(db, {
    columns: { name_key: "text", type: "text" },
    rows: names.map(({ key, type }): Row => [key, type]),
    query: sql`select e.node_id from keys as k cross join entities as e
      where e.project_id = ${projectId} and e.name_key = k.name_key and e.type = k.type`,
  });
  return [...new Set(rows.map((row) => row.node_id))];
}

async function readNodesOfAnyType(
  db: Database,
  projectId: string,
  names: readonly EntityKey[],
): Promise<readonly number[]> {
  const rows = await selectFor<{ node_id: number }>(db, {
    columns: { name_key: "text" },
    rows: [...new Set(names.map(({ key }) => key))].map((key): Row => [key]),
    query: sql`select e.node_id from keys as k cross join entities as e
      where e.project_id = ${projectId} and e.name_key = k.name_key`,
  });
  return rows.map((row) => row.node_id);
}

/** Whether the place `p` is of what the verdict is on, for a pair in `keys`. */
function isOfPair(projectId: string, { type, earlierTypes = [] }: VerdictRule): RawBuilder<unknown> {
  return sql`p.project_id = ${projectId} and p.source_node = k.node_id and p.target_node = k.target_id
    and p.type in (${sql.join([type, ...earlierTypes])})`;
}

/** The chunks of which the graph has facts with one of the nodes, or pairs of nodes, in `keys` that the rule can change. */
function placesOf(projectId: string, rule: FactRule): RawBuilder<unknown> {
  const from = (table: string, condition: RawBuilder<unknown>) =>
    sql`select p.version_id, p.position from keys as k cross join ${sql.table(table)} as p
      where p.project_id = ${projectId} and ${condition}`;
  if (rule.kind === "property")
    return from("property_places", sql`p.node_id = k.node_id and p.property = ${rule.property}`);
  if (rule.kind !== "name") {
    const stated = isOfPair(projectId, rule);
    return sql`${from("relationship_places", stated)} union ${from("proposal_places", stated)}`;
  }
  // A chunk can name what it does not mention: in a proposal, and as a name that a rule derives from another.
  const derived = (own: string, other: string) => sql`
    select p.version_id, p.position from keys as k cross join entity_joins as j cross join entity_places as p
    where j.project_id = ${projectId} and p.project_id = ${projectId}
      and ${sql.ref(own)} = k.node_id and j.origin = 'rule' and p.node_id = ${sql.ref(other)}`;
  return sql`${from("entity_places", sql`p.node_id = k.node_id`)}
    union ${from("proposal_places", sql`p.source_node = k.node_id`)}
    union ${from("proposal_places", sql`p.target_node = k.node_id`)}
    union ${derived("j.node_a", "j.node_b")} union ${derived("j.node_b", "j.node_a")}`;
}
