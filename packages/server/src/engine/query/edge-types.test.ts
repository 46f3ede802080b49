import assert from "node:assert/strict";
import { test } from "node:test";
import type { GraphTypes } from "../../ports/graph-store.ts";
import { createEdgeTypeReader } from "./edge-types.ts";

function createCounted() {
  const counted: string[] = [];
  const readGraphTypes = async ({ projectId }: { readonly projectId: string }): Promise<GraphTypes> => {
    counted.push(projectId);
    const type = `${projectId.toUpperCase()}_${counted.length}`;
    return {
      entities: [],
      relationships: [{ type, sourceType: "Thing", targetType: "Thing", count: 9 }],
    };
  };
  const typesOf = ({ relationships }: GraphTypes) => new Set(relationships.map(({ type }) => type));
  return { counted, types: createEdgeTypeReader({ readGraphTypes }, typesOf) };
}

test("edge types are counted once for each index version of a project, separately for each project", async () => {
  const { types, counted } = createCounted();
  assert.deepEqual([...(await types.read("a", 1))], ["A_1"]);
  assert.deepEqual([...(await types.read("a", 1))], ["A_1"]);
  assert.deepEqual([...(await types.read("b", 1))], ["B_2"]);
  assert.deepEqual([...(await types.read("a", 2))], ["A_3"]);
  assert.deepEqual(counted, ["a", "b", "a"]);
});

test("the project whose types were counted longest ago is evicted first", async () => {
  const { types, counted } = createCounted();
  for (let number = 0; number < 257; number++) await types.read(`p${number}`, 1);
  await types.read("p256", 1);
  await types.read("p1", 1);
  assert.equal(counted.length, 257);
  await types.read("p0", 1);
  assert.equal(counted.length, 258);
});
