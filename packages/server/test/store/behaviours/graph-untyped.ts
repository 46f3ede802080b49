import assert from "node:assert/strict";
import { type Behaviour, ingest } from "../scenario.ts";
import { graphOf } from "./graph-facts.ts";
import { entitiesOf, lastCreated } from "./graph-ledger.ts";

const withGraph = { graphOf };

export const untypedBehaviours: readonly Behaviour[] = [
  [
    "a name without a type is the entity of that name where there is one of one type alone, but a type Thing of an ontology is a type",
    async (scenario) => {
      const made = await scenario.project();
      const typesOf = async ({ projectId }: typeof made) =>
        (await entitiesOf(scenario, projectId, ["ada"])).map(({ type, keys, chunks }) => [
          type,
          keys,
          chunks,
        ]);
      await ingest(scenario, made, [["a", "Thing:Ada Thing:Ada>knows>Bob"]], withGraph);
      assert.deepEqual(await typesOf(made), [["Thing", ["ada"], 2]]);
      await ingest(scenario, made, [["b", "Ada;Ada>knows>Bob"]], withGraph);
      assert.deepEqual(await typesOf(made), [["Person", ["ada"], 3]]);
      assert.deepEqual(await lastCreated(scenario, made.projectId), [0, 0]);
      await ingest(scenario, made, [["c", "City:Ada"]], withGraph);
      assert.deepEqual((await typesOf(made)).sort(), [
        ["City", ["ada"], 1],
        ["Person", ["ada"], 1],
        ["Thing", ["ada"], 2],
      ]);
      await ingest(scenario, made, [["b", ""]], withGraph);
      assert.deepEqual(await typesOf(made), [["City", ["ada"], 3]]);
      await ingest(scenario, made, [["a", ""]], withGraph);
      assert.deepEqual(await typesOf(made), [["City", ["ada"], 1]]);

      const bound = await scenario.project({ ontologyId: "ont_things" });
      await ingest(scenario, bound, [["a", "Thing:Ada Ada"]], withGraph);
      assert.deepEqual((await typesOf(bound)).sort(), [
        ["Person", ["ada"], 1],
        ["Thing", ["ada"], 1],
      ]);
    },
  ],
  [
    "names without a type that a text calls the same do not join two types, and are found under the type they have",
    async (scenario) => {
      const made = await scenario.project();
      const { projectId } = made;
      const typesOf = async () =>
        (await entitiesOf(scenario, projectId, ["ab", "alpha"])).map(({ type, keys }) => [type, keys]).sort();
      await ingest(scenario, made, [["a", "Thing:AB;Thing:Alpha;Thing:AB~Thing:Alpha"]], withGraph);
      assert.deepEqual(await typesOf(), [["Thing", ["ab", "alpha"]]]);
      await ingest(scenario, made, [["b", "AB"]], withGraph);
      assert.deepEqual(await typesOf(), [["Person", ["ab", "alpha"]]]);
      const page = { limit: 9, offset: 0 };
      const found = await scenario.store.searchEntities({ projectId, part: "alpha", type: "Person", page });
      assert.deepEqual([found.total, found.entities[0]?.key], [1, "ab"]);
      await ingest(scenario, made, [["c", "City:Alpha"]], withGraph);
      assert.deepEqual(await typesOf(), [
        ["City", ["alpha"]],
        ["Person", ["ab"]],
        ["Thing", ["ab", "alpha"]],
      ]);
    },
  ],
  [
    "a name without a type that has two types elsewhere joins neither, however far from it a name is joined",
    async (scenario) => {
      const documents: readonly [string, string][] = [
        ["a", "City:Ada"],
        ["b", "Thing:Ada"],
        ["c", "Ada;Bob;Ada~Bob"],
        ["d", "Bob;Cid;Bob~Cid"],
      ];
      for (const order of [documents, documents.toReversed()]) {
        const made = await scenario.project();
        for (const document of order) await ingest(scenario, made, [document], withGraph);
        const found = await entitiesOf(scenario, made.projectId, ["ada", "bob", "cid"]);
        assert.deepEqual(found.map(({ type, keys, chunks }) => [type, keys, chunks]).sort(), [
          ["City", ["ada"], 1],
          ["Person", ["ada", "bob", "cid"], 4],
          ["Thing", ["ada"], 1],
        ]);
      }
    },
  ],
];
