import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { assertLinear } from "../../../test/support/growth.ts";
import { readAllowedProperties, writeAllowedProperties } from "./allowed-properties.ts";
import type { NodeType } from "./types.ts";

function nodeType(name: string, properties: readonly string[]): NodeType {
  return { ...{ name, properties, level: 0, description: "" }, aggregates: [], examples: [], aliases: [] };
}

const names = ["a", "b", "ab", ",", '"', "\t", "\n", "\\", '\t"a"\t', "\ud800", "é"];

test("the short form of an ontology has the properties of each of its node types, and no others", () => {
  let [has, lacks] = [0, 0];
  const ontology = fc.tuple(...names.map(() => fc.option(fc.subarray(names), { freq: 2 })));
  fc.assert(
    fc.property(ontology, (drawn) => {
      const nodeTypes = drawn.flatMap((own, at) => (own === null ? [] : nodeType(names[at] ?? "", own)));
      const allows = readAllowedProperties(writeAllowedProperties({ nodeTypes }));
      for (const type of names)
        for (const property of [...names, type, ""]) {
          const expected =
            nodeTypes.find(({ name }) => name === type)?.properties.includes(property) === true;
          if (expected) has += 1;
          else lacks += 1;
          assert.equal(allows(type, property), expected, JSON.stringify({ type, property, drawn }));
        }
    }),
    { numRuns: 100 },
  );
  assert.ok(has > 100 && lacks > 100, `${has} there, ${lacks} not`);
  assert.equal(writeAllowedProperties({ nodeTypes: [nodeType("a", [])] }), "");
});

test("properties are written, read and asked for in time that grows with them alone", async () => {
  const typesOf = (size: number) =>
    Array.from({ length: size }, (_, at) => nodeType(`Type${at}`, ["one", "two", `own${at}`]));
  await assertLinear("properties", 300, (size) => {
    const nodeTypes = typesOf(size);
    const allows = readAllowedProperties(writeAllowedProperties({ nodeTypes }));
    assert.ok(nodeTypes.every(({ name }, at) => allows(name, `own${at}`) && !allows(name, "own")));
  });
});
