/** Reads for looking up a pattern in a graph. graph-ledger.ts explains `cross join`. */
import { type RawBuilder, sql } from "kysely";
import type { EdgeConditions, NodeConditions, PropertyCondition } from "../../../domain/pattern.ts";
import type { Moment } from "../../../domain/validity.ts";
import type { EdgePlace, WalkedEdge } from "../../../ports/graph-browser.ts";
import type { RelationshipKey } from "../../../ports/graph-matcher.ts";
import type { Database } from "../schema.ts";
import { conditionOf } from "./browse-edges.ts";
import { padded } from "./bulk.ts";
import { findCorrected, withCorrected } from "./correction-rules.ts";
import { pairEdges, readNodeEnds } from "./edge-ends.ts";
import { countEdgePlaces, countNodes, walkPlaces } from "./edge-walk.ts";
import { toNumbers } from "./graph-entities.ts";
import { confidenceUnits } from "./graph-facts.ts";
import { keyOfEdge } from "./graph-places.ts";
import { readEntityNodes } from "./graph-relationships.ts";
import { contains, type Row, selectFor } from "./graph-sql.ts";

const maxSelected = 500;
const maxRead = 500;
const table = "relationship_places" as const;

export async function selectEntities(
  db: Database,
  input: { projectId: string; entityIds: readonly string[]; where: NodeConditions },
): Promise<readonly string[]> {
  const { projectId } = input;
  const { types, name, properties } = input.where;
  const conditions = [
    ...(types.length === 0 ? [] : [sql`e.type in (${sql.join(padded(types))})`]),
    ...(name === null ? [] : [isNamed(projectId, name, await namesBefore(db, projectId, name))]),
    ...properties.map((property) => hasProperty(projectId, property)),
  ];
  const rows = await selectFor<{ node_id: number }>(db, {
    columns: { node_id: "bigint" },
    rows: toNumbers(input.entityIds, maxSelected).map((id): Row => [id]),
    query: sql`select e.node_id from keys as k cross join entities as e
      where e.project_id = ${projectId} and e.node_id = k.node_id and e.entity_id = e.node_id
      ${sql.join(
        conditions.map((condition) => sql`and ${condition}`),
        sql` `,
      )}`,
  });
  return rows.map((row) => String(row.node_id));
}

type Name = NonNullable<NodeConditions["name"]>;

/** What corrections call the entities that texts call so. */
async function namesBefore(
  db: Database,
  projectId: string,
  { text, isPart }: Name,
): Promise<readonly string[]> {
  return isPart ? findCorrected(db, projectId, text) : withCorrected(db, projectId, [text]);
}

/** Of any name of the entity `e`. */
function isNamed(
  projectId: string,
  { text, isPart }: Name,
  corrected: readonly string[],
): RawBuilder<unknown> {
  const matches = isPart ? contains(sql`n.name_key`, text) : sql`n.name_key = ${text}`;
  const before = corrected.length === 0 ? sql`` : sql`or n.name_key in (${sql.join(padded(corrected))})`;
  return sql`exists (select 1 from ${ownNodes(projectId)} cross join entities as n
    where n.project_id = ${projectId} and n.node_id = own.node_id and (${matches} ${before}))`;
}

function hasProperty(projectId: string, { property, values }: PropertyCondition): RawBuilder<unknown> {
  const isValue = values === null ? sql`` : sql`and p.value in (${sql.join(padded(values))})`;
  return sql`exists (select 1 from ${ownNodes(projectId)} cross join entity_properties as p
    where p.project_id = ${projectId} and p.node_id = own.node_id and p.property = ${property} ${isValue})`;
}

/** The names of the entity `e`; the other ones are in a partial index. */
const ownNodes = (projectId: string) => sql`(select e.node_id as node_id union all
  select m.node_id from entities as m where m.project_id = ${projectId} and m.entity_id = e.node_id and m.entity_id <> m.node_id) as own`;

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
  const condition = sql`${isEdge(where)} and ${conditionOf("relationships", null)}`;
  const walk = { projectId, table, own, condition, asOf, floor: 0 } as const;
  const { edges, next } = await walkPlaces(db, { ...walk, units: await countNodes(db, walk, walked), after });
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

export async function walkBetween(
  db: Database,
  input: {
    projectId: string;
    keys: readonly RelationshipKey[];
    asOf: Moment | null;
    after: EdgePlace | null;
  },
): Promise<{ edges: readonly WalkedEdge[]; taken: number; next: EdgePlace | null }> {
  const { projectId, asOf, after } = input;
  const wanted = input.keys.slice(0, maxRead).map(({ sourceId, targetId, type }) => ({
    ...{ source: Number(sourceId), target: Number(targetId), type },
    ...{ chunks: 0, confidence: 0 },
  }));
  const ends = await readNodeEnds(
    db,
    projectId,
    wanted.flatMap(({ source, target }) => [source, target]),
  );
  const { paired, taken } = await pairEdges(db, projectId, { edges: wanted, ends });
  const isWalked = ({ source, target }: WalkedEdge) =>
    after !== null && (source < after.node || (source === after.node && target < after.other));
  const pairs = paired.flatMap((each) =>
    each.edge === wanted[0] ? each.pairs.filter((pair) => !isWalked(pair)) : each.pairs,
  );
  const condition = conditionOf("relationships", null);
  const walk = { projectId, table, own: "source", condition, asOf, floor: 0, after } as const;
  const { edges, next } = await walkPlaces(db, { ...walk, units: await countEdgePlaces(db, walk, pairs) });
  if (next === null) return { edges, taken, next };
  // The first relationship may take several steps; another one that was not finished begins again in the next step.
  const cut = paired.find(({ pairs: own }) => own.some((pair) => isAtPlace(pair, next)))?.edge;
  const whole = cut === undefined ? 0 : wanted.indexOf(cut);
  if (whole === 0) return { edges, taken: 0, next };
  const finished = new Set(
    paired.flatMap(({ edge, pairs: own }) => (wanted.indexOf(edge) < whole ? own.map(keyOf) : [])),
  );
  return { edges: edges.filter((edge) => finished.has(keyOf(edge))), taken: whole, next: null };
}

function isAtPlace({ source, target, type }: WalkedEdge, { node, other, type: last }: EdgePlace): boolean {
  return source === node && target === other && type === last;
}

function keyOf({ source, target, type }: WalkedEdge): string {
  return keyOfEdge(source, target, type);
}
