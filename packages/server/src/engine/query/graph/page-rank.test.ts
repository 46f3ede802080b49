import assert from "node:assert/strict";
import { test } from "node:test";
import type { Passage } from "./neighbourhood.ts";
import { rankByLinks } from "./page-rank.ts";

function passageOf(id: string, ...names: string[]): Passage {
  return {
    id,
    scored: { versionId: 1, position: 0, sourceDocId: id, lexical: 0, dense: 0, score: 0 },
    knowledge: null,
    nearness: { question: new Float32Array(0), rest: new Float32Array(0) },
    names: new Map(names.map((name) => [name, 0])),
  };
}

const chain = [
  passageOf("a", "ada"),
  passageOf("b", "ada", "bea"),
  passageOf("c", "bea"),
  passageOf("d", "dora"),
];

test("passages nearer to a restart name rank higher, and unconnected ones have rank 0", () => {
  const ranks = rankByLinks(chain, { passages: new Map(), names: new Map([["ada", 1]]) });
  assert.deepEqual([...ranks.keys()], ["a", "b", "c", "d"]);
  assert.equal(Math.max(...ranks.values()), 1);
  assert.ok((ranks.get("b") ?? 0) > (ranks.get("c") ?? 0));
  assert.ok((ranks.get("c") ?? 0) > 0);
  assert.equal(ranks.get("d"), 0);
});

test("without restart weights all ranks are 0", () => {
  const ranks = rankByLinks(chain, { passages: new Map(), names: new Map() });
  assert.deepEqual([...ranks.values()], [0, 0, 0, 0]);
});

test("ranks equal those of the power method on the full matrix", () => {
  const nodes = ["ada", "bea", "dora", "a", "b", "c", "d"];
  const edges = chain.flatMap(({ id, names }) => [...names.keys()].map((name) => [name, id] as const));
  const degree = (node: string) => edges.filter((edge) => edge.includes(node)).length;
  const isEdge = (one: string, other: string) =>
    edges.some((edge) => edge.includes(one) && edge.includes(other));
  const reset = new Map([
    ["ada", 0.8],
    ["c", 0.2],
  ]);
  let expected = nodes.map((node) => reset.get(node) ?? 0);
  for (let round = 0; round < 10; round++) {
    expected = nodes.map((node) => {
      const flow = nodes.reduce(
        (sum, from, at) =>
          sum + (isEdge(from, node) && from !== node ? (expected[at] ?? 0) / degree(from) : 0),
        0,
      );
      return 0.5 * (reset.get(node) ?? 0) + 0.5 * flow;
    });
  }
  const ranks = rankByLinks(chain, { passages: new Map([["c", 0.2]]), names: new Map([["ada", 0.8]]) });
  const most = Math.max(...expected.slice(3));
  for (const [at, id] of ["a", "b", "c", "d"].entries()) {
    assert.ok(Math.abs((ranks.get(id) ?? 0) - (expected[3 + at] ?? 0) / most) < 1e-9);
  }
});
