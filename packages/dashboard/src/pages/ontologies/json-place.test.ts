import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { faultRange } from "./json-place.ts";

const text = JSON.stringify(
  { ontology: { hierarchy: [{ level: 0, node_types: { Barge: {}, "river boat": { properties: [1] } } }] } },
  null,
  2,
);

function found(fault: string, within = text): string | null {
  const range = faultRange(within, fault);
  return range === null ? null : within.slice(range.start, range.end);
}

test("a fault leads to the value that it names", () => {
  assert.equal(found("schema.ontology.hierarchy[0].level: got 0"), "0");
  assert.equal(found("schema.ontology.hierarchy[0].node_types.Barge: is empty"), "{}");
  assert.equal(found('schema.ontology.hierarchy[0].node_types["river boat"].properties[0]: got 1'), "1");
  assert.equal(found('schema.ontology.hierarchy[0].node_types["river…"].properties[0]: got 1'), "1");
});

test("what is missing leads to the line of what should hold it", () => {
  assert.equal(found("schema.ontology.hierarchy[0].node_types.Barge.description: missing"), "{}");
  assert.equal(found("schema.ontology.hierarchy[3]: missing"), "[");
  assert.equal(found("schema.ontology.edge_types: missing"), "{");
});

test("a fault without a place, and a text that is no JSON, lead nowhere", () => {
  assert.equal(found("The schema is too large."), null);
  assert.equal(found("schema of something: missing"), null);
  assert.equal(found("schema.ontology: missing", "{"), null);
});

test("every value of any JSON is found by its place", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.boolean(), (value, isIndented) => {
      const printed = JSON.stringify(value, null, isIndented ? 2 : 0);
      for (const { place, value: part } of partsOf(value, "schema")) {
        assert.deepEqual(JSON.parse(found(`${place}: wrong`, printed) ?? ""), part, place);
      }
    }),
  );
});

interface Part {
  readonly place: string;
  readonly value: unknown;
}

function partsOf(value: unknown, place: string): readonly Part[] {
  const below = Array.isArray(value)
    ? value.flatMap((item, at) => partsOf(item, `${place}[${at}]`))
    : typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([name, item]) =>
          // A name that ends so stands for all that begin so.
          name.endsWith("…") ? [] : partsOf(item, `${place}[${JSON.stringify(name)}]`),
        )
      : [];
  return [{ place, value: JSON.parse(JSON.stringify(value)) }, ...below];
}
