/** What a change brought into the graph that was not there before: the counts of its jobs. */
import type { Database } from "../schema.ts";
import { memberType } from "./graph-facts.ts";
import { type NumberedChunk, readMembers } from "./graph-nodes.ts";
import { type EdgeKey, findEdges, keyOfEdge } from "./graph-places.ts";

/** Entities and relationships that were not in the graph before. */
export interface Created {
  readonly nodes: number;
  readonly edges: number;
}

interface Changed {
  /** In the order in which they count. */
  readonly added: readonly NumberedChunk[];
  readonly born: ReadonlySet<number>;
  readonly entityOf: (node: number) => number;
  readonly newEdges: readonly EdgeKey[];
}

/** Pairs of names of two entities between which an older relationship is looked for. */
const maxPairs = 64;

/** To be asked when the change is made. By version. */
export async function countCreated(db: Database, changed: Changed): Promise<ReadonlyMap<number, Created>> {
  const { born, entityOf } = changed;
  const newEdges = changed.newEdges.filter(({ type }) => type !== memberType);
  const ends = newEdges.flatMap(({ source, target }) => [source, target]);
  const members = await readMembers(db, new Set([...born, ...ends].map(entityOf)));
  const created = new Map<number, { nodes: number; edges: number }>();
  const of = (versionId: number) => {
    const counts = created.get(versionId) ?? { nodes: 0, edges: 0 };
    created.set(versionId, counts);
    return counts;
  };

  const counted = new Set<number>();
  for (const [node, versionId] of firstVersions(changed)) {
    const entity = entityOf(node);
    const isNew = members.get(entity)?.every((member) => born.has(member)) === true;
    if (!isNew || counted.has(entity)) continue;
    counted.add(entity);
    of(versionId).nodes += 1;
  }
  for (const { versionId } of await findNewRelationships(db, { newEdges, entityOf, members })) {
    of(versionId).edges += 1;
  }
  return created;
}

/** The nodes that came with the change, in order, each with the version that brought it. */
function firstVersions({ added, born }: Changed): ReadonlyMap<number, number> {
  const first = new Map<number, number>();
  for (const { versionId, facts, ids } of added) {
    for (const node of ids.slice(0, facts.supported)) {
      if (born.has(node) && !first.has(node)) first.set(node, versionId);
    }
  }
  return first;
}

/** Of edges between the same two entities the first, unless an older one of the type joins other names of theirs. */
async function findNewRelationships(
  db: Database,
  input: Pick<Changed, "newEdges" | "entityOf"> & { members: ReadonlyMap<number, readonly number[]> },
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
    const others = sources.flatMap((from) =>
      targets.map((to) => ({ key: keyOfEdge(from, to, type), source: from, target: to, type })),
    );
    return { name, others: others.filter(({ key }) => !isNew.has(key)).slice(0, maxPairs) };
  });
  const older = await findEdges(
    db,
    pairs.flatMap(({ others }) => others),
  );
  return pairs
    .filter(({ others }) => !others.some(({ key }) => older.has(key)))
    .flatMap(({ name }) => first.get(name) ?? []);
}
