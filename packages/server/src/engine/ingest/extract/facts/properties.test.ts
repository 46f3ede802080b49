import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOntology } from "../../../../domain/ontology-schema.ts";
import { createPropertyReader } from "./properties.ts";
import { readTestPassage } from "./test-sentences.ts";

const schema = parseOntology(
  JSON.stringify({
    ontology: {
      hierarchy: [
        {
          level: 0,
          node_types: {
            Company: { properties: ["founded", "employees", "chairman"] },
            Person: { properties: ["birth_date", "name"] },
            Lamp: { properties: ["price", "weight"] },
            City: {},
          },
        },
      ],
      edge_types: [],
    },
  }),
);
const read = createPropertyReader(schema);
const TYPES = {
  Northwind: "Company",
  "Ada Larsen": "Person",
  "Lars Dahl": "Person",
  "Lux 300": "Lamp",
  "Lux 500": "Lamp",
  Oslo: "City",
};

function propertiesOf(text: string): readonly string[] {
  const { passage, entities } = readTestPassage(text, TYPES);
  const openings = passage.sentences.map(() => null);
  return read({ passage, entities, openings, documentSubject: null }).map(
    ({ entity, property, value, start, end }) => {
      assert.ok(start >= 0 && start < end && end <= text.length);
      return `${entity.key}.${property} = ${value}`;
    },
  );
}

const cases: readonly (readonly [string, readonly string[]])[] = [
  ["Northwind was founded in 1987.", ["northwind.founded = 1987"]],
  ["Northwind was established on 12 May 1987.", ["northwind.founded = 1987-05-12"]],
  ["Northwind has 1,200 employees.", ["northwind.employees = 1,200"]],
  ["Ada Larsen was born in Oslo in 1951.", ["ada larsen.birth_date = 1951"]],
  ["Ada Larsen (born 4 March 1951) is a painter.", ["ada larsen.birth_date = 1951-03-04"]],
  ["The chairman of Northwind is Ada Larsen.", ["northwind.chairman = Ada Larsen"]],
  ["Ada Larsen is the chairman of Northwind.", ["northwind.chairman = Ada Larsen"]],
  ["The price of the Lux 300 is 20 EUR.", ["lux 300.price = 20 EUR"]],
  ["Lux 300\nPrice: 20 EUR\nWeight: 3 kg", ["lux 300.price = 20 EUR", "lux 300.weight = 3 kg"]],
  ["The Lux 300 (price: 20 EUR, weight: 3 kg) is new.", ["lux 300.price = 20 EUR", "lux 300.weight = 3 kg"]],
  ["Northwind was not founded in 1987.", []],
  ["Northwind may have been founded in 1987.", []],
  ["Was Northwind founded in 1987?", []],
  ["It is a myth that Northwind was founded in 1987.", []],
  ["Ada Larsen married Lars Dahl, who was born in 1940.", ["lars dahl.birth_date = 1940"]],
  ["The Lux 300 has a good price.", []],
  ["Ada Larsen came to Oslo in 1951.", []],
  ["Name: Ada Larsen", []],
];

for (const [text, expected] of cases) {
  test(`"${text.replaceAll("\n", " / ")}" gives ${expected.join(", ") || "no property"}`, () => {
    const found = propertiesOf(text);
    // Of two people the wrong one is worse than none.
    if (expected[0]?.startsWith("lars") === true)
      assert.ok(
        found.every((one) => expected.includes(one)),
        found.join(),
      );
    else assert.deepEqual([...found].sort(), [...expected].sort());
  });
}

test("values that contradict each other are all kept", () => {
  const text = "Northwind was founded in 1987. Northwind was founded in 1989.";
  assert.deepEqual(propertiesOf(text), ["northwind.founded = 1987", "northwind.founded = 1989"]);
});
