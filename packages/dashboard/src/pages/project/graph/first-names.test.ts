import assert from "node:assert/strict";
import { test } from "node:test";
import { firstNames } from "./first-names.ts";

test("a renamed type has its first name, unless another type has that", () => {
  const type = (readAs?: string) => ({ properties: [], ...(readAs !== undefined && { read_as: readAs }) });
  const types = {
    ...{ Place: type("Town"), Boat: type("Vessel"), Ship: type("vessel "), Firm: type("Person") },
    ...{ Person: type(), CRAFT: type("Craft") },
  };
  const names = firstNames({ ontology: { hierarchy: [{ level: 0, node_types: types }], edge_types: [] } });
  assert.deepEqual(
    [...names],
    [
      ["Place", "Town"],
      ["Boat", "Vessel"],
      ["CRAFT", "Craft"],
    ],
  );
  assert.deepEqual([...firstNames(null)], []);
});
