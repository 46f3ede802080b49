import assert from "node:assert/strict";
import { test } from "node:test";
import { allowedFirst, allowedTypes } from "./allowed-first.ts";

const edge = (name: string, source: string, target: string) => ({
  ...{ name, source_types: [source], target_types: [target] },
});
const edges = [
  edge("SAILS_TO", "Ship", "Harbour"),
  edge("OWNED_BY", "Ship", "Person"),
  edge("BORN_IN", "Person", "Town"),
  edge("CAPTAINED_BY", "Ship", "Person"),
];

test("the types that the ontology allows between two entities come first, in its order", () => {
  const types = [...edges.map(({ name }) => name), "OLD_TYPE"];
  const allowed = allowedTypes(edges, { source: "Ship", target: "Person" });
  assert.deepEqual(allowed, ["OWNED_BY", "CAPTAINED_BY"]);
  assert.deepEqual(allowedFirst(types, allowed), [
    ...["OWNED_BY", "CAPTAINED_BY", "SAILS_TO", "BORN_IN", "OLD_TYPE"],
  ]);
  assert.deepEqual(allowedTypes(edges, { source: "Person", target: "Ship" }), []);
});

test("while one end is not chosen those count that the other end allows", () => {
  assert.deepEqual(allowedTypes(edges, { source: undefined, target: "Person" }), [
    "OWNED_BY",
    "CAPTAINED_BY",
  ]);
});
