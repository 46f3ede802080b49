import assert from "node:assert/strict";
import { test } from "node:test";
import { extractionPrompt } from "./extraction-prompt.ts";
import { narrowToConcrete } from "./model-types.ts";
import { extractionSchema } from "./reply-schema.ts";
import { SCHEMA, TYPES } from "./test-chunk.ts";

/** Every object schema in it. */
function objectsIn(schema: unknown): Record<string, unknown>[] {
  if (typeof schema !== "object" || schema === null) return [];
  const inner = Object.values(schema).flatMap(objectsIn);
  return "properties" in schema && "type" in schema ? [schema as Record<string, unknown>, ...inner] : inner;
}

test("types and allowed pairs of level 0 are locked as enums, edge types with a time apart", () => {
  const { facts, entities } = extractionSchema(TYPES)["properties"] as Record<string, unknown>;
  const [untimed, timed] = (facts as { items: { anyOf: { properties: Record<string, unknown> }[] } }).items
    .anyOf;
  assert.deepEqual(untimed?.properties["kind"], { type: "string", enum: ["Person BORN_IN City"] });
  assert.deepEqual(timed?.properties["kind"], {
    type: "string",
    enum: ["Person WORKS_FOR Company", "Person WORKS_FOR Person"],
  });
  assert.ok(timed !== undefined && "from" in timed.properties && !("from" in (untimed?.properties ?? {})));
  assert.match(JSON.stringify(entities), /"enum":\["Person","Company","City"\]/);
});

test("every object requires all its members and allows no others, as providers of locked output want", () => {
  for (const types of [TYPES, null, narrowToConcrete({ ...SCHEMA, edgeTypes: [] })]) {
    const objects = objectsIn(extractionSchema(types));
    assert.ok(objects.length > 0);
    for (const { properties, required, additionalProperties } of objects) {
      assert.deepEqual(required, Object.keys(properties as object));
      assert.equal(additionalProperties, false);
    }
  }
});

test("an ontology of very many pairs names edge and types apart, and lists what is short enough", () => {
  const names = Array.from({ length: 30 }, (_, at) => `Type${at}`);
  const [node] = SCHEMA.nodeTypes;
  const [edge] = SCHEMA.edgeTypes;
  assert.ok(node !== undefined && edge !== undefined);
  const types = narrowToConcrete({
    nodeTypes: names.map((name) => ({ ...node, name })),
    edgeTypes: [{ ...edge, sourceTypes: names, targetTypes: names }],
    faults: [],
  });
  assert.equal(types.kinds, null);
  const schema = JSON.stringify(extractionSchema(types));
  assert.match(schema, /"source_type":\{"type":"string","enum":\["Type0"/);
  assert.ok(schema.length < 4_000);
});

test("the instructions name every type and pair, and are short", () => {
  const { system } = extractionPrompt(TYPES, { header: "", text: "" });
  for (const line of [
    "Person (birth_date): A human being.",
    "Person BORN_IN City",
    "Person WORKS_FOR Company|Person",
  ])
    assert.ok(system.includes(line), line);
  assert.doesNotMatch(system, /Region|Not a role/);
  assert.ok(extractionPrompt(null, { header: "", text: "" }).system.length < 260);
});
