import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOntology } from "../../../../domain/ontology-schema.ts";
import { createTypeRules } from "./type-rules.ts";

const schema = parseOntology(
  JSON.stringify({
    ontology: {
      hierarchy: [
        { level: 0, node_types: { Kiln: {}, "Art Society": {} } },
        {
          level: 1,
          node_types: {
            PotteryGuild: { aggregates: ["Kiln"], aliases: ["fellowship"], examples: ["Meridian"] },
            Society: { aggregates: ["Kiln"] },
            Season: {},
          },
        },
      ],
    },
  }),
);
const { upperNamed } = createTypeRules(schema);
const typeOf = (key: string, kind: "proper" | "noun" = "proper") => {
  const type = upperNamed({ kind }, key);
  return type === null ? null : schema.nodeTypes[type]?.name;
};

const cases: readonly (readonly [string, string | null])[] = [
  ["eastern guild", "PotteryGuild"],
  ["harl fellowship", "PotteryGuild"],
  ["meridian", "PotteryGuild"],
  ["guild", null],
  ["pottery guild", null],
  ["brannock kiln", null],
  ["tessel society", null],
  ["summer season", null],
  ["guild of harl", null],
];

for (const [key, expected] of cases) {
  test(`"${key}" ${expected === null ? "names no upper type outright" : `is a ${expected}`}`, () =>
    assert.equal(typeOf(key), expected));
}

test("a name in small letters names nothing by its last word", () => {
  assert.equal(typeOf("old guild", "noun"), null);
});
