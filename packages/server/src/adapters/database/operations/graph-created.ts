/** Counts the entities and relationships that a change adds to the graph; its jobs report these counts. */
import type { Database } from "../schema.ts";
import { memberType } from "./graph-facts.ts";
import { type NumberedChunk, readMembers } from "./graph-nodes.ts";
import { type EdgeKey, findEdges, keyOfEdge } from "./graph-places.ts";

/** Numbers of entities and relationships that were not in the graph before. */
export interface Created {
  readonly nodes: number;
  readonly edges: number;
}

interface GraphDelta {
  /** In order: what several chunks add counts for the first one. */
  readonly added: readonly NumberedChunk[];
  readonly born: ReadonlySet<number>;
  readonly entityOf: (node: number) => number;
  readonly newEdges: readonly EdgeKey[];
}

/** Limit of pairs of names of two entities that are searched for an older relationship. */
const maxPairs = 64;

/** Keyed by version. Call it after the change has been written. */
export async function countCreated(
  db: Database,
  projectId: string,
  delta: GraphDelta,
): Promise<ReadonlyMap<number, Created>> {
  const { born, entityOf } = delta;
  const newEdges = delta.newEdges.filter(({ type }) => type !== memberType);
  const ends = newEdges.flatMap(({ source, target }) => [source, target]);
  const members = await readMembers(db, projectId, new Set([...born, ...ends].map(entityOf)));
  const created = new Map<number, { nodes: number; edges: number }>();
  const countsOf = (versionId: number) => {
    const counts = created.get(versionId) ?? { nodes: 0, edges: 0 };
    created.set(versionId, counts);
    return counts;
  };

  const counted = new Set<number>();
  for (const [node, versionId] of firstVersions(delta)) {
    const entity = entityOf(node);
    const isNew = members.get(entity)?.every((member) => born.has(member)) === true;
    if (!isNew || counted.has(entity)) continue;
    counted.add(entity);
    countsOf(versionId).nodes += 1;
  }
  for (const { versionId } of await findNewRelationships(db, projectId, { newEdges, entityOf, members })) {
    countsOf(versionId).edges += 1;
  }
  return created;
}

/** The nodes that became live with the change, in order, each with the first version that supports it. */
function firstVersions({ added, born }: GraphDelta): ReadonlyMap<number, number> {
  const first = new Map<number, number>();
  for (const { versionId, facts, ids } of added) {
    for (const node of ids.slice(0, facts.supported)) {
      if (born.has(node) && !first.has(node)) first.set(node, versionId);
    }
  }
  return first;
}

/**
 * The first new edge of each pair of entities and type, unless other names of the two entities already had an
 * edge of that type.
 */
async function findNewRelationships(
  db: Database,
  projectId: string,
  input: Pick<GraphDelta, "newEdges" | "entityOf"> & { members: ReadonlyMap<number, readonly number[]> },
): Promise<readonly EdgeKey[]> {
  const { newEdges, entityOf, members } = input;
  const isNew = new Set(newEdges.map(({ key }) => key));
  const first = new Map<string, EdgeKey>();
  for (const edge of newEdges) {
    const key = keyOfEdge(entityOf(edge.source), entityOf(edge.target), edge.type);
    if (!first.has(key)) first.set(key, edge);
  }
  const pairs = [...first].map(([name, { source, target, type }]) => {
    const sources = members.get(entityOf(source)) ?? [];
    const targets = members.get(entityOf(target)) ?? [];
    const others = sources
      .values()
      .flatMap((from) =>
        targets.map((to) => ({ key: keyOfEdge(from, to, type), source: from, target: to, type })),
      )
      .filter(({ key }) => !isNew.has(key));
    return { name, others: [...others.take(maxPairs)] };
  });
  const older = await findEdges(
    db,
    projectId,
    pairs.flatMap(({ others }) => others),
  );
  return pairs
    .filter(({ others }) => !others.some(({ key }) => older.has(key)))
    .flatMap(({ name }) => first.get(name) ?? []);
}
