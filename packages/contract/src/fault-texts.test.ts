import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import * as bodies from "./bodies.ts";
import { describeFaults } from "./fields.ts";

/** As the schema library says it by itself. */
const LIBRARY = /Too (?:small|big)|Invalid (?:input|option|string)|Unrecognized key|, received /;

const many = (item: unknown) => Array(2_000).fill(item) as unknown[];
const VALUES: readonly unknown[] = [
  ...["", " ", "x".repeat(100_000), "\0", "\ud800", -1, 0, 0.5, 1e300, true, null],
  ...[[], {}, [[]], [{}], [null], [""], [0], many("a"), many({}), { a: [] }, { a: many("a") }],
  ...[{ contains: "" }, { gte: "x" }, { source_doc_id: [] }, { metadata: { a: [] } }],
  ...["kind", "entity_id", "type", "name", "properties", "direction", "min_confidence", "documents"].flatMap(
    (member) => [[], {}, "", -1, 5, many("a"), { a: [] }, { a: many("a") }].map((of) => [{ [member]: of }]),
  ),
];

test("no body that is refused is told of in the words of the schema library", () => {
  const all = Object.entries<unknown>(bodies).filter(([name]) => name.endsWith("Body"));
  assert.ok(all.length > 10, `${all.map(([name]) => name)}`);
  for (const [name, found] of all) {
    const schema: unknown = typeof found === "function" ? Reflect.apply(found, null, [1_000]) : found;
    assert.ok(schema instanceof z.ZodType, name);
    const members = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
    const inputs = [...VALUES, ...members.flatMap((member) => VALUES.map((value) => ({ [member]: value })))];
    for (const input of inputs) {
      const { error } = schema.safeParse(input);
      if (error !== undefined) assert.doesNotMatch(describeFaults(error), LIBRARY, name);
    }
  }
});
