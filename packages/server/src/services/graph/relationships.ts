/** Reads relationships by their ends, in steps of a bounded number of rows, so that other requests come between. */
import type { Moment } from "../../domain/validity.ts";
import type { EdgePlace, GraphBrowser, WalkedEdge } from "../../ports/graph-browser.ts";
import type { GraphMatcher, RelationshipKey } from "../../ports/graph-matcher.ts";
import type { Relationship } from "../../ports/graph-store.ts";

export type RelationshipStore = Pick<GraphMatcher, "walkBetween"> & Pick<GraphBrowser, "rankRelationships">;

/** As many as an operation of the store reads. */
const KEYS_PER_CALL = 500;

/** With their surest sentences that hold then, in the order of the keys, without those that do not exist; each once. */
export async function readRelationships(
  store: RelationshipStore,
  input: {
    readonly projectId: string;
    readonly keys: readonly RelationshipKey[];
    readonly asOf: Moment | null;
  },
): Promise<readonly Relationship[]> {
  const { projectId, asOf } = input;
  const keys = [...new Map(input.keys.map((key) => [textOfKey(key), key])).values()];
  const found = new Map<string, Relationship>();
  let edges: WalkedEdge[] = [];
  let after: EdgePlace | null = null;
  for (let first = 0; first < keys.length; ) {
    const step: Awaited<ReturnType<GraphMatcher["walkBetween"]>> = await store.walkBetween({
      ...{ projectId, asOf, after },
      keys: keys.slice(first, first + KEYS_PER_CALL),
    });
    appendEdges(edges, step.edges);
    first += step.taken;
    after = step.next;
    if (step.taken === 0) continue;
    const page = { limit: step.taken, offset: 0 };
    const { relationships } =
      edges.length === 0
        ? { relationships: [] }
        : await store.rankRelationships({ projectId, edges, page, asOf });
    for (const relationship of relationships) found.set(textOfKey(relationship), relationship);
    edges = [];
  }
  return keys.flatMap((key) => found.get(textOfKey(key)) ?? []);
}

/** The relationships that begin at these entities (at most 100), each once, a few after another: not each time there are some. */
export async function* relationshipsFrom(
  store: RelationshipStore & Pick<GraphMatcher, "walkNeighbours">,
  input: {
    readonly projectId: string;
    readonly entityIds: readonly string[];
    readonly asOf: Moment | null;
  },
): AsyncGenerator<readonly Relationship[]> {
  const { projectId, asOf } = input;
  const where = { types: [], minConfidence: 0 };
  // The same relationship is walked again under other names of its entities.
  const seen = new Set<string>();
  let after: EdgePlace | null = null;
  do {
    const step: Awaited<ReturnType<GraphMatcher["walkNeighbours"]>> = await store.walkNeighbours({
      ...{ ...input, where, isBackwards: false, after },
    });
    const keys = step.relationships.filter((key) => {
      const isFresh = !seen.has(textOfKey(key));
      seen.add(textOfKey(key));
      return isFresh;
    });
    for (let first = 0; first === 0 || first < keys.length; first += KEYS_PER_CALL)
      yield await readRelationships(store, {
        ...{ projectId, asOf },
        keys: keys.slice(first, first + KEYS_PER_CALL),
      });
    after = step.next;
  } while (after !== null);
}

export function textOfKey({ sourceId, targetId, type }: RelationshipKey): string {
  return `${sourceId} ${targetId} ${type}`;
}

/** The first new edge may be the rest of the last known one. */
export function appendEdges(edges: WalkedEdge[], more: readonly WalkedEdge[]): void {
  const [last, first] = [edges.at(-1), more[0]];
  const isRest =
    last?.source === first?.source && last?.target === first?.target && last?.type === first?.type;
  if (last === undefined || first === undefined || !isRest) {
    edges.push(...more);
    return;
  }
  edges[edges.length - 1] = {
    ...last,
    chunks: last.chunks + first.chunks,
    confidence: Math.max(last.confidence, first.confidence),
  };
  edges.push(...more.slice(1));
}
