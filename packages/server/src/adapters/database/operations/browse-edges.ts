/** Steps through the edges of a project or of one entity, for lists and exports. */
import { type RawBuilder, sql } from "kysely";
import type {
  EdgeCursor,
  EdgeKind,
  EdgePlace,
  RelationshipSearch,
  WalkedEdge,
} from "../../../ports/graph-browser.ts";
import type { Database } from "../schema.ts";
import { pairEdges, readEnds, withoutAsserted } from "./edge-ends.ts";
import {
  type CountedUnit,
  countNodes,
  countPlaces,
  type EdgeStep,
  maxWalkedNodes,
  placeAfter,
  walkPlaces,
} from "./edge-walk.ts";
import { toNumbers } from "./graph-entities.ts";
import { memberType } from "./graph-facts.ts";
import type { EdgeTable } from "./graph-quotes.ts";
import { readEntityNodes } from "./graph-relationships.ts";
import { isStorableName } from "./graph-text.ts";

const { lit } = sql;

type Input = {
  readonly projectId: string;
  readonly kind: EdgeKind;
  readonly after: EdgeCursor | null;
  readonly floor: number;
} & RelationshipSearch;

interface Step {
  readonly edges: readonly WalkedEdge[];
  readonly next: EdgeCursor | null;
}

export async function walkEdges(db: Database, input: Input): Promise<Step> {
  if (!(await canHaveEdges(db, input))) return { edges: [], next: null };
  return input.entityId === null ? walkProject(db, input) : walkEntity(db, input, input.entityId);
}

/** An unknown type needs no walk. */
async function canHaveEdges(db: Database, { projectId, kind, type, after }: Input): Promise<boolean> {
  if (type === null) return true;
  if (!isStorableName(type)) return false;
  if (kind === "proposals" || after !== null) return true;
  const { rows } = await sql`select 1 from relationship_types
    where project_id = ${projectId} and type = ${type} limit 1`.execute(db);
  return rows.length > 0;
}

interface NameRow extends CountedUnit {
  readonly name_key: string;
  readonly type: string;
}

/** Names are read from an index alone, those without edges and those that are no entities too. */
async function walkProject(db: Database, input: Input): Promise<Step> {
  const { projectId, kind, after } = input;
  const { name = null, place = null } = after ?? {};
  const behind = place === null ? sql`>` : sql`>=`;
  const walk = { projectId, table: tableOf(kind), own: "source" } as const;
  const { rows } = await sql<NameRow>`
    select e.node_id as node, e.name_key, e.type, ${countPlaces(walk, "e.node_id")} as places
    from (
      select node_id, name_key, type from entities
      where project_id = ${projectId}
        ${name === null ? sql`` : sql`and (name_key, type) ${behind} (${name.key}, ${name.type})`}
      order by name_key, type limit ${lit(maxWalkedNodes)}) as e
    order by e.name_key, e.type`.execute(db);
  const step = await walkNodes(db, input, { own: "source", nodes: rows, after: place });
  const cut = rows.find(({ node }) => node === step.next?.node);
  const last = cut ?? (rows.length < maxWalkedNodes ? undefined : rows.at(-1));
  const next =
    last === undefined
      ? null
      : { name: { key: last.name_key, type: last.type }, isBackwards: false, place: step.next };
  return { edges: step.edges, next };
}

async function walkEntity(db: Database, input: Input, entityId: string): Promise<Step> {
  const { projectId } = input;
  const found = await readEntityNodes(db, projectId, toNumbers([entityId]));
  const names = [...found.keys()].sort((a, b) => a - b);
  const own = new Set(names);
  const { place = null, isBackwards = false } = input.after ?? {};
  const walked = names.filter((node) => node >= (place?.node ?? 0));
  const end = isBackwards ? "target" : "source";
  const nodes = await countNodes(db, { projectId, table: tableOf(input.kind), own: end }, walked);
  const cursor = (isBack: boolean, next: EdgePlace | null) => ({
    ...{ name: null, isBackwards: isBack },
    place: next,
  });
  const step = await walkNodes(db, input, {
    ...{ own: end, nodes },
    after: place,
    // An edge between two names of the entity was walked at its source.
    ...(isBackwards ? { isWanted: ({ source }) => !own.has(source) } : {}),
  });
  if (step.next !== null) return { edges: step.edges, next: cursor(isBackwards, step.next) };
  return { edges: step.edges, next: isBackwards || names.length === 0 ? null : cursor(true, null) };
}

interface Nodes {
  readonly own: "source" | "target";
  readonly nodes: readonly CountedUnit[];
  readonly after: EdgePlace | null;
  readonly isWanted?: (edge: WalkedEdge) => boolean;
}

/** Proposals that a relationship asserts are left out; a step with many names of entities to compare ends earlier. */
async function walkNodes(
  db: Database,
  {
    projectId,
    kind,
    type,
    floor,
    asOf = null,
  }: Pick<Input, "projectId" | "kind" | "type" | "floor" | "asOf">,
  { own, nodes, after, isWanted = () => true }: Nodes,
): Promise<EdgeStep> {
  const table = tableOf(kind);
  const walk = { projectId, table, own, condition: conditionOf(kind, type), asOf, floor };
  const { edges, next } = await walkPlaces(db, { ...walk, units: nodes, after });
  if (kind === "relationships") return { edges: edges.filter(isWanted), next };
  const { paired, taken } = await pairEdges(db, projectId, {
    edges,
    ends: await readEnds(db, projectId, edges),
  });
  const proposed = (await withoutAsserted(db, projectId, paired)).map(({ edge }) => edge).filter(isWanted);
  const last = edges[taken - 1];
  return {
    edges: proposed,
    next: last === undefined || taken === edges.length ? next : placeAfter(last, own),
  };
}

export function tableOf(kind: EdgeKind): EdgeTable {
  return kind === "relationships" ? "relationship_places" : "proposal_places";
}

export function conditionOf(kind: EdgeKind, type: string | null): RawBuilder<unknown> {
  if (type !== null) return sql`p.type = ${type}`;
  return kind === "proposals" ? sql`1 = 1` : sql`p.type <> ${lit(memberType)}`;
}
