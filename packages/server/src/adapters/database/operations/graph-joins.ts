/**
 * Which joins of nodes count: those between live nodes of which neither is an ambiguous name, which has too
 * many joins of their origin. A node with more than `maxStored` joins is ambiguous in every respect, and is
 * not counted as a partner of others either: otherwise a change of it would change all of them. So nothing has
 * to read more joins of a node than this.
 */
import { sql } from "kysely";
import { UNTYPED } from "../../../domain/graph.ts";
import type { JoinOrigin, JoinReason } from "../graph-schema.ts";
import type { Database } from "../schema.ts";
import { selectIn } from "./graph-sql.ts";

/** Joins count for nodes with at most this number of live partners: a name has few other forms. */
const maxJoins: Readonly<Record<JoinReason, number>> = { text: 12, rule: 4, untyped: 1 };
/** By text and rule; also of partners that are not live, of which rules give a name about ten. */
const maxStored = 32;
/** Limit of types of a name that are read. */
const maxNamesakes = 64;
/** Separators of rows and columns in an aggregated list. */
const rowEnd = ",";
const columnEnd = " ";
const { lit } = sql;

interface JoinedNode {
  /** null when the node is not live. */
  readonly entityId: number | null;
  readonly type: string;
  /** Empty for origins of which the node has too many to count. */
  readonly partners: Readonly<Record<JoinReason, readonly number[]>>;
  readonly isCrowded: boolean;
}

export type JoinReader = ReturnType<typeof createJoinReader>;

/** Reads each node once. */
export function createJoinReader(db: Database, projectId: string) {
  const nodes = new Map<number, JoinedNode>();

  async function read(wanted: Iterable<number>): Promise<void> {
    const missing = [...wanted].filter((node) => !nodes.has(node));
    for (const [node, joined] of await readJoinedNodes(db, projectId, missing)) nodes.set(node, joined);
  }

  /** The nodes that a node is joined to, whether or not the joins count. */
  function partnersOf(node: number, ofOrigins: readonly JoinReason[] = origins): readonly number[] {
    return ofOrigins.flatMap((origin) => nodes.get(node)?.partners[origin] ?? []);
  }

  /** null for a node that is ambiguous. */
  function livePartners(node: number, origin: JoinReason): readonly number[] | null {
    const partners = partnersOf(node, [origin]);
    // Partners by rule alone can be names that are not live. The others are live, and must count before a search has read them.
    const live = origin === "rule" ? partners.filter(isCountedByRule) : partners;
    return live.length <= maxJoins[origin] ? live : null;
  }

  function isCountedByRule(node: number): boolean {
    const partner = nodes.get(node);
    return partner?.entityId != null && !partner.isCrowded;
  }

  return {
    read,
    nodeOf: (node: number) => nodes.get(node),
    partnersOf,
    /** Whether it can depend on a single partner whether the node is ambiguous. */
    isNearLimit: (node: number) => partnersOf(node, ["rule"]).length > maxJoins.rule,
    /** Reads what `countedPartners` needs of these nodes. */
    async readAround(wanted: readonly number[]): Promise<void> {
      await read(wanted);
      await read(wanted.flatMap((node) => partnersOf(node)));
      // Whether a partner by rule is ambiguous depends on its own partners.
      const byRule = wanted.flatMap((node) => livePartners(node, "rule") ?? []);
      await read(byRule.flatMap((node) => partnersOf(node, ["rule"])));
    },
    /** The nodes that a node is joined to by joins that count. */
    countedPartners(node: number, ofOrigins: readonly JoinReason[]): readonly number[] {
      if (nodes.get(node)?.entityId == null) return [];
      return ofOrigins.flatMap((origin) =>
        (livePartners(node, origin) ?? []).filter(
          (other) => livePartners(other, origin)?.includes(node) === true,
        ),
      );
    },
  };
}

const origins: readonly JoinReason[] = ["text", "rule", "untyped"];

/** The nodes that each node is joined to by text or rule; none for a node that has too many to count. */
export async function readPartners(
  db: Database,
  projectId: string,
  nodes: Iterable<number>,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const rows = await selectIn<{ node_id: number; joins: string | null }>(
    db,
    nodes,
    (list) => sql`select e.node_id, (${storedJoins(projectId)}) as joins
      from entities as e where e.project_id = ${projectId} and e.node_id in (${list})`,
  );
  return new Map(
    rows.map(({ node_id: node, joins }) => {
      const { text, rule } = parseJoins(joins);
      return [node, [...text, ...rule]];
    }),
  );
}

async function readJoinedNodes(
  db: Database,
  projectId: string,
  nodes: Iterable<number>,
): Promise<ReadonlyMap<number, JoinedNode>> {
  const rows = await selectIn<{
    node_id: number;
    entity_id: number | null;
    type: string;
    joins: string | null;
    namesakes: string | null;
  }>(
    db,
    nodes,
    (list) => sql`select e.node_id, e.entity_id, e.type, (${storedJoins(projectId)}) as joins,
        (${namesakes(projectId)}) as namesakes
      from entities as e where e.project_id = ${projectId} and e.node_id in (${list})`,
  );
  return new Map(
    rows.map((row) => {
      const { isCrowded, ...stored } = parseJoins(row.joins);
      const untyped = row.namesakes?.split(rowEnd).map(Number) ?? [];
      const partners = { ...stored, untyped };
      return [row.node_id, { entityId: row.entity_id, type: row.type, partners, isCrowded }];
    }),
  );
}

function parseJoins(list: string | null) {
  const joins = list?.split(rowEnd).map((row) => row.split(columnEnd)) ?? [];
  const isCrowded = joins.length > maxStored;
  const ofOrigin = (origin: JoinOrigin) =>
    isCrowded ? [] : joins.filter((join) => join[1] === origin).map(([other]) => Number(other));
  const text = ofOrigin("text");
  // Both ends of a join by text are live, so all of them count.
  return { text: text.length > maxJoins.text ? [] : text, rule: ofOrigin("rule"), isCrowded };
}

/** Both halves are read from an index and stop at the limit, which a condition on the origin would prevent. */
const storedJoins = (
  projectId: string,
) => sql`select string_agg(j.other || ${lit(columnEnd)} || j.origin, ${lit(rowEnd)}) from (
  select node_b as other, origin from entity_joins where project_id = ${projectId} and node_a = e.node_id
  union all
  select node_a as other, origin from entity_joins where project_id = ${projectId} and node_b = e.node_id
  limit ${lit(maxStored + 1)}) as j`;

/**
 * The live nodes of the name that have a type where this one has none, and the other way round. SQLite looks them up by the name if all that it
 * needs of them is in that index; otherwise it would read the project in the order of the primary key.
 */
const namesakes = (projectId: string) => sql`select string_agg(cast(n.node_id as text), ${lit(rowEnd)}) from (
  select b.node_id from projects as p
  cross join entities as a
  cross join entities as b
  where p.project_id = ${projectId} and p.ontology_id is null
    and a.project_id = ${projectId} and a.name_key = e.name_key
    and b.project_id = ${projectId} and b.node_id = a.node_id and b.entity_id is not null
    and (e.type = ${lit(UNTYPED)}) <> (b.type = ${lit(UNTYPED)})
  limit ${lit(maxNamesakes)}) as n`;
