import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear } from "../../../../test/support/growth.ts";
import { parseOntology } from "../../../domain/ontology-schema.ts";
import { planGathering } from "../../graph/gathering.ts";
import { readOverview } from "./overview.ts";

const plan = planGathering(
  parseOntology(
    JSON.stringify({
      ontology: {
        hierarchy: [
          { level: 0, node_types: { Kiln: {}, Potter: {}, Town: {} } },
          { level: 1, node_types: { PotteryGuild: { aggregates: ["Kiln", "Potter"], aliases: ["guild"] } } },
          { level: 2, node_types: { League: { aggregates: ["PotteryGuild"] } } },
        ],
        edge_types: [],
      },
    }),
  ),
);

function classify(question: string): string | null {
  const overview = readOverview(question, plan);
  return overview === null
    ? null
    : `${overview.isBroad ? "broad" : "narrow"} ${[...overview.types].join("+")}`;
}

const cases: readonly (readonly [string, string | null])[] = [
  ["What guilds are there?", "broad PotteryGuild"],
  ["Which pottery guilds are there in the region?", "broad PotteryGuild"],
  ["List all leagues.", "broad League"],
  ["How many guilds are known?", "broad PotteryGuild"],
  ["Give an overview.", "broad "],
  ["Give me an overview of the potters", "broad PotteryGuild"],
  ["What are the main themes?", "broad "],
  ["Summarize the collection.", "broad "],
  ["What are these documents about?", "broad "],
  ["Which guilds does the league consist of?", "broad PotteryGuild+League"],
  ["What belongs to the Eastern Guild?", "broad PotteryGuild"],
  ["Which kilns are there?", "broad PotteryGuild"],
  ["Which guild is the oldest?", "narrow PotteryGuild"],
  ["Who founded the kiln?", null],
  ["When was the guild founded?", null],
  ["What is the main dish of the fair?", null],
  ["Where does Ida Marsk live?", null],
  ["How tall is the tower?", null],
  ["", null],
];

for (const [question, expected] of cases) {
  test(`"${question}" asks for ${expected ?? "a fact"}`, () => assert.equal(classify(question), expected));
}

test("a question is classified in linear time", async () => {
  await assertLinear("classification", 500, (length) => {
    for (const unit of ["what are there ", "what ", "main ", "a", "list all kiln ", "  "]) {
      for (let time = 0; time < 200; time++) classify(unit.repeat(length / unit.length));
    }
  });
});
