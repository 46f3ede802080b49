/**
 * Decides which nodes form one entity: the connected components over joins that count, with at most `maxNames`
 * nodes. In a larger one a few names that texts call the same have become a chain of many things; each of its
 * nodes is an entity of its own. The result depends only on the live nodes and joins, so entities separate
 * again when the evidence that joined them is removed, and come together when what made them too large is.
 */
import { sql } from "kysely";
import { UNTYPED } from "../../../domain/graph.ts";
import type { JoinReason } from "../graph-schema.ts";
import type { Database } from "../schema.ts";
import { createJoinReader, type JoinReader } from "./graph-joins.ts";
import { readMembers, setLive } from "./graph-nodes.ts";
import { selectIn } from "./graph-sql.ts";

/** Names of an entity: also the most that a search reads around a name. */
export const maxNames = 64;

/** A node that changed its entity. */
export interface Move {
  readonly node: number;
  readonly from: number;
  readonly to: number;
}

export interface JoinChanges {
  /** All ends of joins that were created or deleted. */
  readonly joined: readonly number[];
  /** The nodes that those were joined to before. */
  readonly former: readonly number[];
  /** All nodes that became live or are no longer live. */
  readonly relived: readonly number[];
}

/**
 * Recomputes the entities that such a change can divide, enlarge or join. A join starts or ceases to count
 * only next to a partner of a changed node, and every component that is new or gone has an end of such a join.
 * So it is enough to search from those, and from the nodes that they have been one entity with. The cost
 * depends on their number, not on the size of what is joined nor on that of the graph.
 */
export async function resolveEntities(
  db: Database,
  projectId: string,
  changes: JoinChanges,
): Promise<readonly Move[]> {
  const reader = createJoinReader(db, projectId);
  const sources = await findSources(db, projectId, { reader, ...changes });
  if (sources.length === 0) return [];
  const whole = (await findComponents(reader, sources, ["text", "rule", "untyped"])).filter(
    (nodes) => typesOf(reader, nodes).size < 2,
  );
  const inWhole = new Set(whole.flat());
  // Names without a type that a text calls the same would join the different types of these names.
  const others = sources.filter((node) => !inWhole.has(node));
  const parts = await findComponents(reader, others, ["text", "rule"]);
  const entityOf = new Map(sources.map((node) => [node, node]));
  for (const nodes of [...whole, ...parts]) {
    const first = firstOf(reader, nodes);
    for (const node of nodes) entityOf.set(node, first);
  }
  const moves = [...entityOf].flatMap(([node, to]) => {
    const from = reader.nodeOf(node)?.entityId ?? node;
    return to === from ? [] : [{ node, from, to }];
  });
  await write(db, projectId, moves);
  return moves;
}

async function findSources(
  db: Database,
  projectId: string,
  { reader, joined, former, relived }: JoinChanges & { readonly reader: JoinReader },
): Promise<readonly number[]> {
  await reader.read([...joined, ...relived]);
  // Most new names are joined to nothing.
  const changed = [...joined, ...relived.filter((node) => reader.partnersOf(node).length > 0)];
  const near = new Set([...changed, ...changed.flatMap((node) => reader.partnersOf(node)), ...former]);
  await reader.read(near);
  // A name that has become ambiguous, or no longer is, because a partner has changed.
  const beyond = [...near].filter(reader.isNearLimit).flatMap((node) => reader.partnersOf(node, ["rule"]));
  await reader.read(beyond);
  const live = [...near, ...beyond].filter((node) => reader.nodeOf(node)?.entityId != null);
  const entities = await readMembers(
    db,
    projectId,
    live.map((node) => reader.nodeOf(node)?.entityId ?? node),
  );
  return [...new Set([...live, ...[...entities.values()].flat()])];
}

/** The components of the nodes, each once, without those that have more than `maxNames` nodes. */
async function findComponents(
  reader: JoinReader,
  sources: readonly number[],
  origins: readonly JoinReason[],
): Promise<readonly (readonly number[])[]> {
  const found = new Map<number, number[]>(sources.map((node) => [node, [node]]));
  const componentOf = (node: number) => {
    const component = found.get(node) ?? [node];
    found.set(node, component);
    return component;
  };
  const isSmall = (node: number) => componentOf(node).length <= maxNames;
  // All searches take each step together, so that it is one statement.
  for (let next = sources; next.length > 0; ) {
    await reader.readAround(next);
    const reached = new Set<number>();
    for (const node of next) {
      for (const other of reader.countedPartners(node, origins)) {
        if (!found.has(other)) reached.add(other);
        unite(found, componentOf(node), componentOf(other));
      }
    }
    next = [...reached].filter(isSmall);
  }
  return [...new Set(found.values())].filter((component) => component.length <= maxNames);
}

function unite(found: Map<number, number[]>, one: number[], other: number[]): void {
  if (one === other) return;
  const [small, large] = one.length < other.length ? [one, other] : [other, one];
  for (const node of small) found.set(node, large);
  large.push(...small);
}

function typesOf(reader: JoinReader, nodes: readonly number[]): ReadonlySet<string | undefined> {
  return new Set(nodes.map((node) => reader.nodeOf(node)?.type).filter((type) => type !== UNTYPED));
}

/** The smallest node that has a type, else the smallest. */
function firstOf(reader: JoinReader, nodes: readonly number[]): number {
  const typed = nodes.filter((node) => reader.nodeOf(node)?.type !== UNTYPED);
  return Math.min(...(typed.length > 0 ? typed : nodes));
}

async function write(db: Database, projectId: string, moves: readonly Move[]): Promise<void> {
  const alone = moves.filter(({ node, to }) => node === to);
  await setLive(db, projectId, { nodes: alone.map(({ node }) => node), isLive: true });
  const others = moves.filter(({ node, to }) => node !== to);
  for (const [entityId, moved] of Map.groupBy(others, ({ to }) => to)) {
    await selectIn(
      db,
      moved.map(({ node }) => node),
      (list) => sql`update entities set entity_id = ${entityId}
        where project_id = ${projectId} and node_id in (${list})`,
    );
  }
}
