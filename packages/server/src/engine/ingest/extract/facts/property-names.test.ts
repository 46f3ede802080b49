import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOntology } from "../../../../domain/ontology-schema.ts";
import { createPropertyStem, profileProperties } from "./property-names.ts";

test("profiles of properties are made for the types that are asked about", () => {
  let stems = 0;
  const stem = createPropertyStem();
  const counted = (word: string) => {
    stems++;
    return stem(word);
  };
  const properties = Array.from({ length: 200 }, (_, at) => `size${at}`);
  const types = Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`Kind${at}`, { properties }]));
  const ontology = { hierarchy: [{ level: 0, node_types: { ...types, Plain: {} } }] };
  const profiles = profileProperties(parseOntology(JSON.stringify({ ontology })), counted);
  assert.equal(profiles.isEmpty, false);
  assert.equal(stems, 0);
  assert.equal(profiles.of("Kind7").length, 200);
  assert.deepEqual([profiles.of("Plain"), profiles.of("Unknown")], [[], []]);
  assert.ok(stems < 1_000, `${stems} stems`);
});
