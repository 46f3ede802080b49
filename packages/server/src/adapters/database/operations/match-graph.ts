/** Reads for looking up a pattern in a graph. graph-ledger.ts explains `cross join`. */
import { type RawBuilder, sql } from "kysely";
import type { EdgeConditions, NodeConditions, PropertyCondition } from "../../../domain/pattern.ts";
import type { Moment } from "../../../domain/validity.ts";
import type { EdgePlace } from "../../../ports/graph-browser.ts";
import type { RelationshipKey } from "../../../ports/graph-matcher.ts";
import type { Relationship } from "../../../ports/graph-store.ts";
import type { Database } from "../schema.ts";
import { conditionOf } from "./browse-edges.ts";
import { toRelationships } from "./browse-relationships.ts";
import { padded } from "./bulk.ts";
import { countEdges, pairEdges, readNodeEnds } from "./edge-ends.ts";
import { groupEdges } from "./edge-groups.ts";
import { countNodes, walkPlaces } from "./edge-walk.ts";
import { toNumbers } from "./graph-entities.ts";
import { confidenceUnits } from "./graph-facts.ts";
import { readEntityNodes } from "./graph-relationships.ts";
import { isOf, type Row, selectFor } from "./graph-sql.ts";

const maxSelected = 500;
const maxRead = 50;
const table = "relationship_places" as const;

export async function selectEntities(
  db: Database,
  input: { projectId: string; entityIds: readonly string[]; where: NodeConditions },
): Promise<readonly string[]> {
  const { types, name, properties } = input.where;
  const conditions = [
    ...(types.length === 0 ? [] : [sql`e.type in (${sql.join(padded(types))})`]),
    ...(name === null ? [] : [isNamed(name)]),
    ...properties.map(hasProperty),
  ];
  const rows = await selectFor<{ node_id: number }>(db, {
    columns: { node_id: "bigint" },
    rows: toNumbers(input.entityIds, maxSelected).map((id): Row => [id]),
    query: sql`select e.node_id from keys as k cross join entities as e
      where e.node_id = k.node_id and e.entity_id = e.node_id and ${isOf(input.projectId)}
      ${sql.join(
        conditions.map((condition) => sql`and ${condition}`),
        sql` `,
      )}`,
  });
  return rows.map((row) => String(row.node_id));
}

/** Of any name of the entity `e`. */
function isNamed({ text, isPart }: NonNullable<NodeConditions["name"]>): RawBuilder<unknown> {
  const matches = isPart
    ? sql`n.name_key like ${`%${text.replace(/[!%_]/g, "!$&")}%`} escape '!'`
    : sql`n.name_key = ${text}`;
  return sql`exists (select 1 from ${ownNodes} cross join entities as n
    where n.node_id = own.node_id and ${matches})`;
}

function hasProperty({ property, values }: PropertyCondition): RawBuilder<unknown> {
  const isValue = values === null ? sql`` : sql`and p.value in (${sql.join(padded(values))})`;
  return sql`exists (select 1 from ${ownNodes} cross join entity_properties as p
    where p.node_id = own.node_id and p.property = ${property} ${isValue})`;
}

/** The names of the entity `e`; the other ones are in a partial index. */
const ownNodes = sql`(select e.node_id as node_id union all
  select m.node_id from entities as m where m.entity_id = e.node_id and m.entity_id <> m.node_id) as own`;

export async function walkNeighbours(
  db: Database,
  input: {
    projectId: string;
    entityIds: readonly string[];
    where: EdgeConditions;
    asOf: Moment | null;
    isBackwards: boolean;
    after: EdgePlace | null;
  },
): Promise<{ relationships: readonly RelationshipKey[]; next: EdgePlace | null }> {
  const { projectId, where, asOf, isBackwards, after } = input;
  const known = await readEntityNodes(db, projectId, toNumbers(input.entityIds));
  const walked = [...known.keys()].filter((node) => node >= (after?.node ?? 0)).sort((a, b) => a - b);
  const own = isBackwards ? "target" : "source";
  const condition = sql`${isEdge(where)} and ${conditionOf("relationships", { type: null, asOf })}`;
  const walk = { table, own, condition, floor: 0 } as const;
  const { edges, next } = await walkPlaces(db, { ...walk, nodes: await countNodes(db, walk, walked), after });
  const ends = await readNodeEnds(
    db,
    projectId,
    edges.map((edge) => (isBackwards ? edge.source : edge.target)),
  );
  const entityOf = (node: number) => known.get(node) ?? ends.get(node)?.entityId ?? null;
  const relationships = edges.flatMap(({ source, target, type }) => {
    const [sourceId, targetId] = [entityOf(source), entityOf(target)];
    if (sourceId === null || targetId === null) return [];
    return [{ sourceId: String(sourceId), targetId: String(targetId), type }];
  });
  return { relationships, next };
}

function isEdge({ types, minConfidence }: EdgeConditions): RawBuilder<unknown> {
  const ofType = types.length === 0 ? sql`1 = 1` : sql`p.type in (${sql.join(padded(types))})`;
  return sql`${ofType} and p.confidence >= ${Math.round(minConfidence * confidenceUnits)}`;
}

export async function readRelationships(
  db: Database,
  input: { projectId: string; keys: readonly RelationshipKey[]; asOf: Moment | null },
): Promise<{ relationships: readonly Relationship[]; taken: number }> {
  const { projectId, asOf } = input;
  const wanted = input.keys.slice(0, maxRead).map(({ sourceId, targetId, type }) => ({
    ...{ source: Number(sourceId), target: Number(targetId), type },
    ...{ chunks: 0, confidence: 0 },
  }));
  const ends = await readNodeEnds(
    db,
    projectId,
    wanted.flatMap(({ source, target }) => [source, target]),
  );
  const { paired, taken } = await pairEdges(db, wanted, ends);
  const condition = conditionOf("relationships", { type: null, asOf });
  const pairs = paired.flatMap((edge) => edge.pairs);
  const edges = [...(await countEdges(db, { table, condition }, pairs)).values()];
  const nodes = edges.flatMap(({ source, target }) => [source, target]);
  const groups = groupEdges(edges, await readNodeEnds(db, projectId, nodes));
  return { relationships: await toRelationships(db, { projectId, asOf }, groups), taken };
}
