import assert from "node:assert/strict";
import { test } from "node:test";
import type { EdgeCursor, GraphBrowser, WalkedEdge } from "../../ports/graph-browser.ts";
import { searchRelationships } from "./edge-lists.ts";

type Step = Awaited<ReturnType<GraphBrowser["walkEdges"]>>;

const page = { limit: 10, offset: 0 };
const edge = (target: number, chunks = 1): WalkedEdge => ({
  ...{ source: 1, target, type: "knows", chunks, confidence: 0 },
});
const edges = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => edge(from + at));

/** Returns these steps, whatever is searched. */
function createStore(steps: readonly (readonly WalkedEdge[])[]) {
  const seen = { floors: [] as number[], ranked: [] as readonly WalkedEdge[] };
  const cursorAt = (at: number): EdgeCursor => ({
    ...{ name: null, isBackwards: false },
    place: { node: at, other: 0, type: "", versionId: 0, position: 0 },
  });
  return {
    seen,
    async walkEdges({ after, floor }: { after: EdgeCursor | null; floor: number }): Promise<Step> {
      const at = after?.place?.node ?? 0;
      seen.floors.push(floor);
      return { edges: steps[at] ?? [], next: at + 1 < steps.length ? cursorAt(at + 1) : null };
    },
    async rankRelationships({ edges: ranked }: { edges: readonly WalkedEdge[] }) {
      seen.ranked = ranked;
      return { relationships: [], total: ranked.length };
    },
  };
}

test("an edge whose chunks are walked in several steps is one edge with all of them", async () => {
  const store = createStore([[edge(2), edge(3, 5)], [edge(3, 6)], [], [edge(3, 1), edge(4)]]);
  await searchRelationships(store, { projectId: "p", type: null, entityId: "1", page });
  assert.deepEqual(store.seen.ranked, [edge(2), edge(3, 12), edge(4)]);
});

test("of an entity the best supported edges are listed, wherever they are walked", async () => {
  const store = createStore([edges(2, 20_004), [edge(20_003), edge(30_000, 3)], [edge(30_001, 2)]]);
  const search = { projectId: "p", type: null, entityId: "1", page };
  const { total } = await searchRelationships(store, search);
  assert.equal(total, 10_000);
  assert.deepEqual(store.seen.ranked.slice(0, 4), [
    edge(30_000, 3),
    edge(20_003, 2),
    edge(30_001, 2),
    edge(2),
  ]);
  // Edges that cannot be among the best any more need not be sent.
  assert.deepEqual(store.seen.floors, [0, 1, 1]);
});

test("a list of a whole project ends when it is full, not when the project does", async () => {
  const store = createStore([
    edges(1, 9_000),
    edges(9_000, 10_001),
    edges(10_001, 10_003),
    edges(20_000, 30_000),
  ]);
  const search = { projectId: "p", type: null, entityId: null, page };
  assert.equal((await searchRelationships(store, search)).total, 10_000);
  assert.equal(store.seen.floors.length, 3);
});
