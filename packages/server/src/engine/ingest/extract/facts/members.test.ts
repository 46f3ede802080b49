import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOntology } from "../../../../domain/ontology-schema.ts";
import { resolveOpenings } from "./back-references.ts";
import { createMemberReader } from "./members.ts";
import type { JoinedRelation } from "./relation-facts.ts";
import { readTestPassage } from "./test-sentences.ts";

const schema = parseOntology(
  JSON.stringify({
    ontology: {
      hierarchy: [
        { level: 0, node_types: { Kiln: {}, Potter: {}, Town: {} } },
        { level: 1, node_types: { Guild: { aggregates: ["Kiln", "Potter"] } } },
        { level: 2, node_types: { League: { aggregates: ["Guild"] } } },
      ],
      edge_types: [
        { name: "WORKS_UNDER", source_types: ["Potter"], target_types: ["Guild"] },
        { name: "MEMBER_OF", source_types: ["Potter"], target_types: ["Guild"] },
        { name: "SUED", source_types: ["Guild"], target_types: ["Potter"] },
      ],
    },
  }),
);
const read = createMemberReader(schema);
const TYPES = {
  Brannock: "Kiln",
  Tessel: "Kiln",
  Orvane: "Kiln",
  "Ida Marsk": "Potter",
  "Jon Feld": "Potter",
  Hollin: "Town",
  "Eastern Guild": "Guild",
  "Western Guild": "Guild",
  "Clay League": "League",
};

function membersOf(text: string, relations: readonly JoinedRelation[] = []): readonly string[] {
  const { passage, entities } = readTestPassage(text, TYPES);
  const openings = resolveOpenings(
    passage.sentences,
    (at) => entities.filter(({ sentence }) => sentence === at),
    null,
  );
  return read({ passage, entities, relations, openings }).map(({ parent, member, start, end }) => {
    assert.ok(start >= 0 && start < end && end <= text.length);
    return `${parent.key} < ${member.key}`;
  });
}

const EAST = ["eastern guild < brannock", "eastern guild < tessel", "eastern guild < orvane"];
const cases: readonly (readonly [string, readonly string[]])[] = [
  ["It is false that Ida Marsk is a member of the Eastern Guild.", []],
  ["Brannock, Tessel and Orvane belong to the Eastern Guild.", EAST],
  ["Brannock is part of the Eastern Guild.", EAST.slice(0, 1)],
  ["Ida Marsk is a member of the Eastern Guild.", ["eastern guild < ida marsk"]],
  ["The Eastern Guild consists of Brannock, Tessel and Orvane.", EAST],
  ["The Eastern Guild includes the old kilns Brannock and Tessel.", EAST.slice(0, 2)],
  [
    "Ida Marsk and Jon Feld work for the Eastern Guild.",
    ["eastern guild < ida marsk", "eastern guild < jon feld"],
  ],
  ["Ida Marsk of the Eastern Guild opened the fair.", ["eastern guild < ida marsk"]],
  ["The Eastern Guild's oldest kiln Brannock was lit.", EAST.slice(0, 1)],
  ["## Eastern Guild\n\n- Brannock\n- the Tessel, built on a hill\n- Hollin", EAST.slice(0, 2)],
  [
    "The Eastern Guild and the Western Guild form the Clay League.",
    ["clay league < eastern guild", "clay league < western guild"],
  ],
  ["The Eastern Guild is old. Its members are Brannock, Tessel and Orvane.", EAST],
  ["The Eastern Guild is old. It consists of Brannock and Tessel.", EAST.slice(0, 2)],
  ["The Eastern Guild is old. It is part of the Clay League.", ["clay league < eastern guild"]],
  ["The Eastern Guild is old. Its rivals are Brannock and Tessel.", []],
  ["Hollin is old. Its members are Brannock and Tessel. The Eastern Guild is young.", []],
  ["Brannock does not belong to the Eastern Guild.", []],
  ["Brannock no longer belongs to the Eastern Guild.", []],
  ["Brannock is not part of the Eastern Guild.", []],
  ["Brannock may join the Eastern Guild.", []],
  ["Does Brannock belong to the Eastern Guild?", []],
  ["If Brannock joined the Eastern Guild, nobody said so.", []],
  ["Neither Brannock nor Tessel belongs to the Eastern Guild.", []],
  ["The Eastern Guild has lost Brannock.", []],
  ["Brannock was sold to the Eastern Guild.", []],
  ["The Eastern Guild met in Hollin.", []],
  ["Hollin belongs to the Eastern Guild.", []],
  [
    "Brannock is near the Western Guild, and Tessel belongs to the Eastern Guild.",
    ["eastern guild < tessel"],
  ],
];

for (const [text, expected] of cases) {
  test(`members in "${text.replaceAll("\n", " / ")}"`, () => {
    assert.deepEqual(membersOf(text).toSorted(), expected.toSorted());
  });
}

test("a relationship makes a member where its type's name says so, and no other does beside it", () => {
  const text = "Ida Marsk and the Eastern Guild were seen in Hollin.";
  const { entities } = readTestPassage(text, TYPES);
  const [potter, guild] = [entities[0], entities[1]];
  assert.ok(potter && guild);
  const relation = (type: string, source = potter, target = guild): JoinedRelation => ({
    ...{ type, source, target, sentence: 0, confidence: 1, extractor: "statement" },
    ...{ validFrom: null, validTo: null },
  });
  assert.deepEqual(membersOf(text, [relation("MEMBER_OF")]), ["eastern guild < ida marsk"]);
  assert.deepEqual(membersOf(text, [relation("SUED", guild, potter)]), []);
  assert.deepEqual(membersOf(text), []);
});

test("an ontology of one level has no members", () => {
  const flat = parseOntology('{"ontology":{"hierarchy":[{"level":0,"node_types":{"Kiln":{}}}]}}');
  const { passage, entities } = readTestPassage("Brannock belongs to the Eastern Guild.", TYPES);
  assert.deepEqual(createMemberReader(flat)({ passage, entities, relations: [], openings: [] }), []);
});
