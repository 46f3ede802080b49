/**
 * Lists of relationships and proposals. Their edges are walked in steps, so that other requests come between: a list holds
 * the database for no longer in a large graph than in a small one.
 */
import type { Moment } from "../../domain/validity.ts";
import type { EdgeCursor, EdgeKind, GraphBrowser, Proposal, WalkedEdge } from "../../ports/graph-browser.ts";
import type { Relationship } from "../../ports/graph-store.ts";
import type { Page } from "../../ports/store.ts";
import { appendEdges, type RelationshipStore, readRelationships, textOfKey } from "./relationships.ts";

export interface EdgeSearch {
  readonly projectId: string;
  readonly type: string | null;
  readonly entityId: string | null;
  /** Of relationships: only statements that hold then count. Absent: all do. */
  readonly asOf?: Moment | null;
  readonly page: Page;
}

export interface NeighbourSearch {
  readonly projectId: string;
  readonly entityId: string;
  readonly asOf: Moment;
  readonly limit: number;
}

/** No list has more: of a project those that are first by name, of an entity the best supported. */
const MAX_EDGES = 10_000;
/** Relationships of which is looked up at once whether they hold. */
const HISTORY_STEP = 50;

export async function searchRelationships(
  store: Pick<GraphBrowser, "walkEdges" | "rankRelationships">,
  search: EdgeSearch,
): Promise<{ readonly relationships: readonly Relationship[]; readonly total: number }> {
  const edges = await collectEdges(store, "relationships", search);
  if (edges.length === 0) return { relationships: [], total: 0 };
  const { projectId, page, asOf = null } = search;
  return store.rankRelationships({ projectId, edges, page, asOf });
}

/** The relationships of an entity that hold then, and the others (`history`), the best supported first. */
export async function searchNeighbours(
  store: Pick<GraphBrowser, "walkEdges"> & RelationshipStore,
  { limit, asOf, ...place }: NeighbourSearch,
): Promise<Readonly<Record<"relationships" | "history", readonly Relationship[]>>> {
  const { projectId } = place;
  const page = { limit, offset: 0 };
  const collect = (at: Moment | null) =>
    collectEdges(store, "relationships", { ...place, type: null, asOf: at, page });
  const edges = await collect(asOf);
  const { relationships } = await store.rankRelationships({ projectId, edges, page, asOf });
  const nameOf = ({ source, target, type }: WalkedEdge) => `${source} ${target} ${type}`;
  const held = new Set(edges.map(nameOf));
  const others = (await collect(null)).filter((edge) => !held.has(nameOf(edge)));
  const history: Relationship[] = [];
  for (let offset = 0, total = others.length; offset < total && history.length < limit; ) {
    const next = { limit: HISTORY_STEP, offset };
    const ranked = await store.rankRelationships({ projectId, edges: others, page: next });
    history.push(...(await withoutHeld(store, ranked.relationships, { projectId, asOf })));
    total = ranked.total;
    offset += HISTORY_STEP;
  }
  return { relationships, history: history.slice(0, limit) };
}

/** Between other names of its entities a relationship may hold. */
async function withoutHeld(
  store: RelationshipStore,
  relationships: readonly Relationship[],
  at: { readonly projectId: string; readonly asOf: Moment },
): Promise<readonly Relationship[]> {
  const held = new Set((await readRelationships(store, { ...at, keys: relationships })).map(textOfKey));
  return relationships.filter((relationship) => !held.has(textOfKey(relationship)));
}

export async function searchProposals(
  store: Pick<GraphBrowser, "walkEdges" | "rankProposals">,
  search: EdgeSearch,
): Promise<{ readonly proposals: readonly Proposal[]; readonly total: number }> {
  const edges = await collectEdges(store, "proposals", search);
  if (edges.length === 0) return { proposals: [], total: 0 };
  return store.rankProposals({ projectId: search.projectId, edges, page: search.page });
}

async function collectEdges(
  store: Pick<GraphBrowser, "walkEdges">,
  kind: EdgeKind,
  { projectId, type, entityId, asOf = null }: EdgeSearch,
): Promise<readonly WalkedEdge[]> {
  let edges: WalkedEdge[] = [];
  let after: EdgeCursor | null = null;
  let floor = 0;
  do {
    const input = { projectId, kind, type, entityId, asOf, after, floor };
    const step: Awaited<ReturnType<GraphBrowser["walkEdges"]>> = await store.walkEdges(input);
    appendEdges(edges, step.edges);
    after = step.next;
    // One more has begun, so the last of the others is complete.
    if (entityId === null && edges.length > MAX_EDGES) break;
    if (entityId !== null && edges.length > 2 * MAX_EDGES) {
      const best = bestSupported(edges);
      floor = best.at(-1)?.chunks ?? 0;
      // The last one may go on in the next step.
      const last = edges.slice(-1);
      edges = [...best.filter((edge) => edge !== last[0]), ...last];
    }
  } while (after !== null);
  return entityId === null ? edges.slice(0, MAX_EDGES) : bestSupported(edges);
}

/** Of equal ones those that were walked first. */
function bestSupported(edges: readonly WalkedEdge[]): WalkedEdge[] {
  if (edges.length <= MAX_EDGES) return [...edges];
  return edges.toSorted((a, b) => b.chunks - a.chunks).slice(0, MAX_EDGES);
}
