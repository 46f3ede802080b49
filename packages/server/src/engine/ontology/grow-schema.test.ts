import assert from "node:assert/strict";
import { test } from "node:test";
import { growSchema as grow } from "./grow-schema.ts";

const growSchema = (types: Parameters<typeof grow>[0]) => grow(types, () => false);

const edge = (type: string, count: number, sourceType = "Person", targetType = "Location") => ({
  type,
  sourceType,
  targetType,
  count,
});

test("types come from the data; a verb that joins one pair only is no edge type", () => {
  const schema = growSchema({
    entities: [
      { type: "Person", count: 4 },
      { type: "Location", count: 1 },
      { type: "Organization", count: 1 },
      { type: "Event", count: 0 },
    ],
    relationships: [edge("VISIT", 1), edge("LIVE_IN", 2), edge("BUY", 1), edge("BUY", 1, "Organization")],
  });
  assert.deepEqual(
    schema.nodeTypes.map(({ name }) => name),
    ["Location", "Organization", "Person"],
  );
  assert.deepEqual(
    schema.edgeTypes.map(({ name, sourceTypes, targetTypes }) => ({ name, sourceTypes, targetTypes })),
    [
      { name: "BUY", sourceTypes: ["Organization", "Person"], targetTypes: ["Location"] },
      { name: "LIVE_IN", sourceTypes: ["Person"], targetTypes: ["Location"] },
    ],
  );
});

test("the ends of an edge type are types that entities have", () => {
  const entities = [
    { type: "Person", count: 3 },
    { type: "Location", count: 1 },
  ];
  const relationships = [edge("KNOW", 2, "Thing", "Thing"), edge("SEE", 2, "Thing"), edge("SEE", 1)];
  const ends = growSchema({ entities, relationships }).edgeTypes.map(({ name, sourceTypes, targetTypes }) => [
    ...[name, sourceTypes, targetTypes],
  ]);
  assert.deepEqual(ends, [
    ["KNOW", ["Location", "Person"], ["Location", "Person"]],
    ["SEE", ["Person"], ["Location"]],
  ]);
});

test("types keep their order while counts change, and there are at most 100", () => {
  const relationships = Array.from({ length: 150 }, (_, at) =>
    edge(`T${String(at).padStart(3, "0")}`, 200 - at),
  );
  const names = (list: typeof relationships) =>
    growSchema({ entities: [], relationships: list }).edgeTypes.map(({ name }) => name);
  assert.equal(names(relationships).length, 100);
  const changed = relationships.map((each, at) => ({ ...each, count: each.count + (at % 2) }));
  assert.deepEqual(names(changed).slice(0, 50), names(relationships).slice(0, 50));
  assert.deepEqual(names(relationships.toReversed()), names(relationships));
});

test("a known type needs one relationship instead of two", () => {
  const relationships = [edge("BORN_IN", 1), edge("DIED_IN", 0), edge("HUMS_IN", 1)];
  const schema = grow({ entities: [], relationships }, (type) => type !== "HUMS_IN");
  assert.deepEqual(
    schema.edgeTypes.map(({ name }) => name),
    ["BORN_IN"],
  );
});
