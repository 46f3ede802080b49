import assert from "node:assert/strict";
import { test } from "node:test";
import { rawMember } from "@kcs/contract";
import { createOntologyParts } from "./ontology-parts.ts";

const ontologyOf = (ontologyId: string, level: number) => ({
  ontologyId,
  accountId: "a",
  name: "Ships",
  createdAt: 0,
  version: 1,
  schemaJson: `{"ontology": {"edge_types": [], "hierarchy": [ {"level": ${level}} ]}}`,
});

test("the parts are the client's text; those of an ontology are cut out once, and the oldest are forgotten", () => {
  const read = createOntologyParts();
  const parts = read(ontologyOf("ont_0", 0));
  assert.deepEqual([parts.hierarchy?.text, parts.edgeTypes?.text], ['[ {"level": 0} ]', "[]"]);
  assert.equal(read(ontologyOf("ont_0", 1)), parts);
  for (let other = 1; other <= 64; other++) read(ontologyOf(`ont_${other}`, 0));
  assert.equal(read(ontologyOf("ont_0", 1)).hierarchy?.text, '[ {"level": 1} ]');
});

test("a text without them has no parts", () => {
  const parts = createOntologyParts()({ ...ontologyOf("ont_1", 0), schemaJson: "{}" });
  assert.deepEqual(parts, { hierarchy: null, edgeTypes: null });
});

test("the parts of an ontology are cut out in one pass over its text", () => {
  const types = Array.from({ length: 400 }, (_, at) => [`T${at}`, { properties: Array(100).fill(`p${at}`) }]);
  const hierarchy = [{ level: 0, node_types: Object.fromEntries(types) }];
  const schemaJson = JSON.stringify({ ontology: { edge_types: [], hierarchy } });
  const cpuOf = (work: () => unknown) => {
    const before = process.cpuUsage();
    for (let times = 0; times < 20; times++) work();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const ratios = Array.from({ length: 5 }, () => {
    const onePass = cpuOf(() => rawMember(schemaJson, "ontology"));
    return cpuOf(() => createOntologyParts()({ ...ontologyOf("ont_1", 0), schemaJson })) / onePass;
  });
  assert.ok(Math.min(...ratios) < 2, ratios.join(" "));
});
