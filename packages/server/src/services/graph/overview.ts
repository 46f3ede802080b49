/** Parts of a graph that only the whole of its relationships tells: what is best connected, paths, and entities without any. */
import type { Moment } from "../../domain/validity.ts";
import {
  type Connection,
  connectedEntities,
  findPath,
  takeBestConnected,
} from "../../engine/graph/connections.ts";
import { createPace, visitAtPace } from "../../engine/text/pace.ts";
import type { EdgeCursor, GraphBrowser, WalkedEdge } from "../../ports/graph-browser.ts";
import type { Entity, GraphStore, Relationship } from "../../ports/graph-store.ts";
import { type DocumentEntityStore, findEntitiesOf } from "./document-entities.ts";
import { type EntityName, readEntitiesInOrder, readNames } from "./entity-names.ts";

/** All edges of the names of two entities, with one type and direction. */
export interface OverviewRelationship extends Connection {
  readonly type: string;
}

export interface GraphOverview {
  /** The best connected first. */
  readonly entities: readonly (EntityName & { readonly degree: number })[];
  readonly relationships: readonly OverviewRelationship[];
  /** Of the whole graph, as far as it was read. */
  readonly connected: number;
  readonly total: number;
  readonly isComplete: boolean;
}

type OverviewStore = Pick<
  GraphBrowser,
  "walkEdges" | "findEntitiesOfNodes" | "rankRelationships" | "searchEntities"
> &
  Pick<GraphStore, "readEntities">;

export interface OverviewChoice {
  /** Of entities. */
  readonly limit: number;
  /** Only what this document names; null = the whole graph. */
  readonly sourceDocId: string | null;
  /** A year, month or day; null = now. */
  readonly asOf: string | null;
}

interface ReadConnection extends OverviewRelationship {
  readonly edges: readonly WalkedEdge[];
}

/** Choosing among more would hold the event loop for longer than a request may. */
const MAX_EDGES = 20_000;
/** Entities that are looked through for some without relationships. */
const MAX_ENTITIES = 10_000;
const ENTITIES_PER_STEP = 500;
const ITEMS_PER_TURN = 1_000;

export async function readOverview(
  store: OverviewStore & DocumentEntityStore,
  projectId: string,
  { limit, sourceDocId, asOf }: Omit<OverviewChoice, "asOf"> & { readonly asOf: Moment | null },
): Promise<GraphOverview> {
  const named = sourceDocId === null ? null : await findEntitiesOf(store, projectId, sourceDocId);
  const read = await readConnections(store, projectId, asOf);
  const { isComplete } = read;
  const connections =
    named === null
      ? read.connections
      : read.connections.filter(({ source, target }) => named.has(source) && named.has(target));
  const part = await takeBestConnected(connections, limit);
  const taken = new Set(part.entities.map(({ entityId }) => entityId));
  const alone = [...(named ?? [])].filter((entityId) => !taken.has(entityId));
  const entities = [
    ...part.entities,
    ...alone.slice(0, limit - taken.size).map((entityId) => ({ entityId, degree: 0 })),
  ];
  const names = await readNames(
    store,
    projectId,
    entities.map(({ entityId }) => entityId),
  );
  const pace = createPace(ITEMS_PER_TURN);
  const relationships: ReadConnection[] = [];
  await visitAtPace(part.connections, pace, (connection) => {
    if (names.has(connection.source) && names.has(connection.target)) relationships.push(connection);
  });
  return {
    entities: entities.flatMap(({ entityId, degree }) => {
      const name = names.get(entityId);
      return name === undefined ? [] : [{ ...name, degree }];
    }),
    relationships,
    connected: part.connected,
    total: connections.length,
    isComplete,
  };
}

/** The relationships of a shortest path between two entities, in its order; empty where there is none. */
export async function readPath(
  store: OverviewStore,
  projectId: string,
  { asOf = null, ...ends }: { readonly from: string; readonly to: string; readonly asOf?: Moment | null },
): Promise<{ readonly relationships: readonly Relationship[]; readonly isComplete: boolean }> {
  const { connections, isComplete } = await readConnections(store, projectId, asOf);
  const path = await findPath(connections, ends);
  if (path.length === 0) return { relationships: [], isComplete };
  const edges = path.flatMap((step) => step.edges);
  const page = { limit: path.length, offset: 0 };
  const { relationships } = await store.rankRelationships({ projectId, edges, page, asOf });
  const found = path.flatMap(
    ({ source, target, type }) =>
      relationships.find(
        (each) => each.sourceId === source && each.targetId === target && each.type === type,
      ) ?? [],
  );
  return { relationships: found, isComplete };
}

/** Entities without relationships, by name, of one type where it is given. Looks through the first 10,000. */
export async function listUnrelated(
  store: OverviewStore,
  projectId: string,
  { type, limit, offset }: { readonly type: string | null; readonly limit: number; readonly offset: number },
): Promise<{ readonly entities: readonly Entity[]; readonly total: number }> {
  const related = await connectedEntities((await readConnections(store, projectId)).connections);
  const found = await listWithout(store, { projectId, part: "", type }, related);
  const ids = found.slice(offset, offset + limit);
  return { entities: await readEntitiesInOrder(store, projectId, { ids }), total: found.length };
}

/**
 * The ids of entities in the order of `searchEntities`, without those that have relationships of which none holds then. Looks through the
 * first 10,000 entities.
 */
export async function listEntitiesAt(
  store: OverviewStore,
  { asOf, ...search }: NameSearch & { readonly asOf: Moment },
): Promise<readonly string[]> {
  const [all, held] = [
    await readConnections(store, search.projectId),
    await readConnections(store, search.projectId, asOf),
  ];
  const isHeld = await connectedEntities(held.connections);
  // Of what was not looked at nothing is known, so nothing is left out.
  if (!all.isComplete || !held.isComplete) return listWithout(store, search, new Set());
  const ofOtherTimes = [...(await connectedEntities(all.connections))].filter((id) => !isHeld.has(id));
  return listWithout(store, search, new Set(ofOtherTimes));
}

interface NameSearch {
  readonly projectId: string;
  /** Normal form; "" = all. */
  readonly part: string;
  readonly type: string | null;
}

async function listWithout(
  store: OverviewStore,
  search: NameSearch,
  leftOut: ReadonlySet<string>,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (let from = 0; from < MAX_ENTITIES; from += ENTITIES_PER_STEP) {
    const page = { limit: ENTITIES_PER_STEP, offset: from };
    const { entities } = await store.searchEntities({ ...search, page });
    found.push(...entities.map(({ entityId }) => entityId).filter((id) => !leftOut.has(id)));
    if (entities.length < ENTITIES_PER_STEP) break;
  }
  return found;
}

/** In the order of their sources' names; the first `MAX_EDGES` edges. */
async function readConnections(
  store: Pick<GraphBrowser, "walkEdges" | "findEntitiesOfNodes">,
  projectId: string,
  asOf: Moment | null = null,
): Promise<{ readonly connections: readonly ReadConnection[]; readonly isComplete: boolean }> {
  const found = new Map<
    string,
    { source: string; target: string; type: string; chunks: number; edges: WalkedEdge[] }
  >();
  let after: EdgeCursor | null = null;
  let count = 0;
  do {
    const step: Awaited<ReturnType<GraphBrowser["walkEdges"]>> = await store.walkEdges({
      ...{ projectId, kind: "relationships", type: null, entityId: null, floor: 0, asOf },
      after,
    });
    const nodes = step.edges.flatMap(({ source, target }) => [source, target]);
    const entities = await store.findEntitiesOfNodes({ projectId, nodes: [...new Set(nodes)] });
    for (const edge of step.edges) {
      const [source, target] = [entities.get(edge.source), entities.get(edge.target)];
      // A relationship of an entity with itself under another name connects nothing.
      if (source === undefined || target === undefined || source === target) continue;
      const key = `${source} ${target} ${edge.type}`;
      const known = found.get(key);
      if (known === undefined)
        found.set(key, { source, target, type: edge.type, chunks: edge.chunks, edges: [edge] });
      else {
        known.chunks += edge.chunks;
        known.edges.push(edge);
      }
    }
    count += step.edges.length;
    after = step.next;
  } while (after !== null && count < MAX_EDGES);
  return { connections: [...found.values()], isComplete: after === null };
}
