import assert from "node:assert/strict";
import { test } from "node:test";
import { ONTOLOGY_LIMITS } from "./types.ts";
import { withExamples } from "./with-examples.ts";

const schemaOf = (description: string) =>
  JSON.stringify({
    ontology: { hierarchy: [{ level: 0, node_types: { Ship: { description } } }], edge_types: [] },
  });
const examples = { nodeTypes: [{ name: "Ship", examples: ["Wanda"] }], edgeTypes: [] };

test("examples of a type go to the one that has its name as an alias", () => {
  const schema = {
    ontology: { hierarchy: [{ level: 0, node_types: { Vessel: { aliases: ["ship"] } } }], edge_types: [] },
  };
  const { schemaJson, nodeTypes } = withExamples(JSON.stringify(schema), examples);
  assert.deepEqual(nodeTypes, [{ name: "Ship", added: 1, leftOut: 0 }]);
  assert.deepEqual(JSON.parse(schemaJson).ontology.hierarchy[0].node_types, {
    Vessel: { aliases: ["ship"], examples: ["Wanda"] },
  });
});

test("examples are added where the schema stays within its limit", () => {
  const { length } = withExamples(schemaOf(""), examples).schemaJson;
  const fits = "x".repeat(ONTOLOGY_LIMITS.schemaBytes - length);
  assert.equal(withExamples(schemaOf(fits), examples).schemaJson.length, ONTOLOGY_LIMITS.schemaBytes);
  assert.throws(() => withExamples(schemaOf(`${fits}x`), examples), {
    name: "ServiceError",
    message: /more than 4 MiB/,
  });
});
