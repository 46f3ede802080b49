import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear } from "../../../test/support/growth.ts";
import { type WrittenNodeType, writeSchema } from "./write-schema.ts";

function typeOn(level: number, name: string): WrittenNodeType {
  return { name, level, description: "", properties: [], aggregates: [] };
}

test("levels stand in ascending order, types in the given order", () => {
  const types = [typeOn(1, "Fleet"), typeOn(0, "Ship"), typeOn(0, "Harbour")];
  const { ontology } = JSON.parse(writeSchema({ nodeTypes: types, edgeTypes: [] }));
  const names = ontology.hierarchy.map((level: { level: number; node_types: object }) => [
    level.level,
    Object.keys(level.node_types),
  ]);
  assert.deepEqual(names, [
    [0, ["Ship", "Harbour"]],
    [1, ["Fleet"]],
  ]);
});

test("a type on each of many levels takes time by their number alone", async () => {
  const write = (size: number) =>
    writeSchema({
      nodeTypes: Array.from({ length: size }, (_, at) => typeOn(at, `Type${at}`)),
      edgeTypes: [],
    });
  await assertLinear("levels", 1_000, write);
});
