import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOntology } from "../../../../domain/ontology-schema.ts";
import { MAX_LABELS, prepareLabels } from "./labels.ts";

function schemaOf(types: number, edges: number) {
  const node_types = Object.fromEntries(
    Array.from({ length: types }, (_, at) => [
      `FishPond${at}`,
      { description: at === 0 ? "where\n  carp  are kept" : "" },
    ]),
  );
  const edge_types = Array.from({ length: edges }, (_, at) => ({
    ...{ name: `FEEDS_INTO_${at}`, source_types: ["FishPond0", "FishPond1"], target_types: ["FishPond1"] },
    description: at === 0 ? "its water runs there" : "",
  }));
  return parseOntology(JSON.stringify({ ontology: { hierarchy: [{ level: 0, node_types }], edge_types } }));
}

async function textsOf(types: number, edges: number) {
  const texts: string[] = [];
  const runs = await prepareLabels(schemaOf(types, edges), async (text) => {
    texts.push(text);
    return Float32Array.of(texts.length, 0);
  });
  return { texts, runs };
}

test("a type is told by its name in words and its description, a relation with the types that it joins", async () => {
  const { texts, runs } = await textsOf(2, 2);
  assert.deepEqual(texts, [
    "fish pond0: where carp are kept",
    "fish pond1",
    "fish pond0 or fish pond1 feeds into 0 fish pond1: its water runs there",
    "fish pond0 or fish pond1 feeds into 1 fish pond1",
  ]);
  assert.equal(runs.length, 1);
  assert.deepEqual([runs[0]?.labels.types, runs[0]?.labels.relations], [2, 2]);
  assert.deepEqual([...(runs[0]?.labels.vectors ?? [])], [10, 0, 20, 0, 30, 0, 40, 0]);
});

test("a large ontology is read in groups, its types apart from its relations; of a huge one the rest is left out", async () => {
  const { runs } = await textsOf(60, 50);
  assert.deepEqual(
    runs.map(({ types, edges }) => [types.length, edges.length]),
    [
      [48, 0],
      [12, 0],
      [0, 48],
      [0, 2],
    ],
  );
  assert.deepEqual(
    runs[1]?.types,
    Array.from({ length: 12 }, (_, at) => MAX_LABELS + at),
  );
  assert.equal((await textsOf(600, 3)).runs.length, 8);
});
