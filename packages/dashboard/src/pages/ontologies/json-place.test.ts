import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { faultRange } from "./json-place.ts";

const text = JSON.stringify(
  { ontology: { hierarchy: [{ level: 0, node_types: { Barge: {}, "river boat": { properties: [1] } } }] } },
  null,
  2,
);

function textAt(fault: string, json = text): string | null {
  const range = faultRange(json, fault);
  return range === null ? null : json.slice(range.start, range.end);
}

test("the range of a fault is the value that it names", () => {
  assert.equal(textAt("schema.ontology.hierarchy[0].level: got 0"), "0");
  assert.equal(textAt("schema.ontology.hierarchy[0].node_types.Barge: is empty"), "{}");
  assert.equal(textAt('schema.ontology.hierarchy[0].node_types["river boat"].properties[0]: got 1'), "1");
  assert.equal(textAt('schema.ontology.hierarchy[0].node_types["river…"].properties[0]: got 1'), "1");
});

test("the range of a missing member is the first line of its parent", () => {
  assert.equal(textAt("schema.ontology.hierarchy[0].node_types.Barge.description: missing"), "{}");
  assert.equal(textAt("schema.ontology.hierarchy[3]: missing"), "[");
  assert.equal(textAt("schema.ontology.edge_types: missing"), "{");
});

test("there is no range for a fault without a place or a text that is not JSON", () => {
  assert.equal(textAt("The schema is too large."), null);
  assert.equal(textAt("schema of something: missing"), null);
  assert.equal(textAt("schema.ontology: missing", "{"), null);
});

test("every value of any JSON text is found by its place", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.boolean(), (value, isIndented) => {
      const printed = JSON.stringify(value, null, isIndented ? 2 : 0);
      for (const { place, value: part } of partsOf(value, "schema")) {
        assert.deepEqual(JSON.parse(textAt(`${place}: wrong`, printed) ?? ""), part, place);
      }
    }),
  );
});

interface Part {
  readonly place: string;
  readonly value: unknown;
}

function partsOf(value: unknown, place: string): readonly Part[] {
  const children = Array.isArray(value)
    ? value.flatMap((item, at) => partsOf(item, `${place}[${at}]`))
    : typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([name, item]) =>
          // A name that ends with an ellipsis matches all names with that prefix.
          name.endsWith("…") ? [] : partsOf(item, `${place}[${JSON.stringify(name)}]`),
        )
      : [];
  return [{ place, value: JSON.parse(JSON.stringify(value)) }, ...children];
}
