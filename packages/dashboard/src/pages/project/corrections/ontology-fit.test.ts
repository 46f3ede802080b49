import assert from "node:assert/strict";
import { test } from "node:test";
import type { ListedCorrection } from "@kcs/sdk";
import { fitTo } from "./ontology-fit.ts";

const kept = {
  ...{ correction_id: "c", project_id: "p", account_id: "a", key_id: null, reason: null },
  ...{ created_at: "2031-01-01T00:00:00Z", chunks: 0, later_chunks: 0, conflicts: 0 },
};
const entity = (type: string, also: readonly string[] = []) => ({
  ...{ type, name: "Ines" },
  also: also.map((each) => ({ type: each, name: "Ines Falk" })),
});
const fits = fitTo({
  ontology: {
    hierarchy: [
      {
        level: 0,
        node_types: { Ship: { properties: ["mast"], aliases: ["Boat"] }, Person: { properties: [] } },
      },
    ],
    edge_types: [
      { name: "STEERED_BY", aliases: ["RUN_BY"], source_types: ["Ship"], target_types: ["Person"] },
    ],
  },
});
const place = { document: null, sentence: null };

test("a correction fits an ontology that has one of the types of its entity, and the one that it gives", () => {
  const corrections: readonly (readonly [ListedCorrection, boolean])[] = [
    [{ ...kept, kind: "rename", entity: entity("Ship"), name: "Ilse" }, true],
    [{ ...kept, kind: "rename", entity: entity("Boat"), name: "Ilse" }, true],
    [{ ...kept, kind: "rename", entity: entity("Place"), name: "Orrin" }, false],
    [{ ...kept, kind: "rename", entity: entity("Place", ["Ship"]), name: "Orrin" }, true],
    [{ ...kept, kind: "retype", entity: entity("Ship"), type: "Place" }, false],
    [{ ...kept, kind: "retype", entity: entity("Place"), type: "Ship" }, false],
    [{ ...kept, kind: "merge", entity: entity("Ship"), into: entity("Person") }, true],
    [
      {
        ...kept,
        kind: "split",
        entity: entity("Ship"),
        documents: ["log"],
        into: { type: "Place", name: "A" },
      },
      false,
    ],
    [{ ...kept, kind: "add_property", entity: entity("Boat"), property: "mast", value: "oak" }, true],
    [{ ...kept, kind: "add_property", entity: entity("Person"), property: "mast", value: "oak" }, false],
    [{ ...kept, kind: "remove_property", entity: entity("Person"), property: "mast", value: null }, true],
  ];
  for (const [correction, expected] of corrections)
    assert.equal(fits(correction), expected, JSON.stringify(correction));
});

test("one of a relationship fits where its edge type allows both ends, in their direction", () => {
  const of = (type: string, source: string, target: string): ListedCorrection => ({
    ...{ ...kept, ...place },
    ...{ kind: "confirm", type, source: entity(source), target: entity(target) },
    ...{ source_type: source, target_type: target },
  });
  assert.ok(fits(of("STEERED_BY", "Ship", "Person")));
  assert.ok(fits(of("RUN_BY", "Boat", "Person")));
  assert.ok(!fits(of("STEERED_BY", "Person", "Ship")));
  assert.ok(!fits(of("OWNED_BY", "Ship", "Person")));
  const taken = (type: string) => ({ ...of("STEERED_BY", "Ship", "Person"), target_type: type });
  assert.deepEqual([fits(taken("Person")), fits(taken("Ship"))], [true, false]);
});
