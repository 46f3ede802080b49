import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOntology } from "../../../../domain/ontology-schema.ts";
import { findEntityMentions } from "../mentions/find-entity-mentions.ts";
import { createTagger } from "../statements/create-tagger.ts";
import { CANDIDATE_LIMITS } from "./candidates.ts";
import { featureNames } from "./features.ts";
import { createRelationReader } from "./relation-reader.ts";
import { readRelationWeights } from "./weights.ts";

const tag = createTagger();
const embed = async (text: string) =>
  Float32Array.from({ length: 384 }, (_, at) => (at === text.length % 384 ? 1 : 0));

const encode = async (text: string) => ({
  vector: new Float32Array(384),
  states: new Float32Array(384),
  dimensions: 384,
  starts: [0],
  ends: [text.length],
});

const schema = parseOntology(
  JSON.stringify({
    ontology: {
      hierarchy: [{ level: 0, node_types: { Film: {}, Person: {}, Date: {} } }],
      edge_types: [
        {
          name: "DIRECTED_BY",
          source_types: ["Film"],
          target_types: ["Person"],
          examples: [
            { source: "Grey Hill", target: "Ida Holm", text: "Grey Hill is a film directed by Ida Holm." },
          ],
        },
        { name: "RELEASE_DATE", source_types: ["Film"], target_types: ["Date"] },
      ],
    },
  }),
);

async function read(text: string) {
  const reader = await createRelationReader(schema, { embed, tag, encode });
  const tokens = tag(text, { start: 0, end: text.length });
  const mentions = findEntityMentions(tokens).map((mention) => ({
    ...mention,
    typeScores: Float32Array.of(0.5, 0.5, 0.5),
  }));
  return reader.read({ index: 0, tokens, mentions, encoded: await encode(text), offset: 0 }, []);
}

function numberOf(
  reading: Awaited<ReturnType<typeof read>>,
  names: { edge: number; target: string; feature: string },
) {
  const { candidates, rows, view } = reading;
  const found = candidates.findIndex(({ edge, target }) => {
    const mention = view.mentions[target];
    const text = view.tokens
      .slice(mention?.from, mention?.to)
      .map((token) => token.text)
      .join(" ");
    return edge === names.edge && text === names.target;
  });
  assert.ok(found >= 0);
  return rows[found]?.[featureNames.indexOf(names.feature)] ?? Number.NaN;
}

test("Each candidate has a finite number for each named feature, and names are unique.", async () => {
  const { rows, candidates } = await read(
    "Blue Lake is a 1990 film directed by Lars Dahl, who also wrote it.",
  );
  assert.ok(candidates.length > 0);
  assert.equal(rows.length, candidates.length);
  for (const row of rows) {
    assert.equal(row.length, featureNames.length);
    assert.ok(row.every(Number.isFinite));
  }
  assert.equal(new Set(featureNames).size, featureNames.length);
});

test("The weights are for these features.", () => {
  for (const { units, features, weights, mean, deviation } of Object.values(readRelationWeights())) {
    assert.equal(features, featureNames.length);
    assert.equal(mean.length, features);
    assert.equal(deviation.length, features);
    assert.equal(weights.length, units * features + 2 * units + 1 + features);
  }
});

test("A verb of the edge type's name before the target counts for that edge type.", async () => {
  const reading = await read("Blue Lake is a 1990 film directed by Lars Dahl.");
  assert.ok(numberOf(reading, { edge: 0, target: "Lars Dahl", feature: "triggerNear" }) > 0.5);
  assert.equal(numberOf(reading, { edge: 1, target: "1990", feature: "edgeTakesDate" }), 1);
});

test("A list is stepped over: the last of several directors stands behind the same verb.", async () => {
  const reading = await read("Blue Lake is a film directed by Lars Dahl, Jon Vik and Ane Moe.");
  assert.ok(numberOf(reading, { edge: 0, target: "Ane Moe", feature: "triggerNear" }) > 0.5);
  assert.ok(numberOf(reading, { edge: 0, target: "Ane Moe", feature: "listed" }) > 0.5);
});

test("Words of an example's sentence become triggers of its edge type only.", async () => {
  const reading = await read("Blue Lake is a film directed by Lars Dahl.");
  assert.ok(numberOf(reading, { edge: 0, target: "Lars Dahl", feature: "exampleTriggerNear" }) > 0);
  assert.equal(numberOf(reading, { edge: 0, target: "Lars Dahl", feature: "hasExamples" }), 1);
});

test("A sentence of many names gives a bounded number of candidates.", async () => {
  const names = Array.from({ length: 150 }, (_, index) => `Name${index} Surname${index}`).join(" met ");
  const { candidates } = await read(`${names}.`);
  assert.ok(candidates.length <= CANDIDATE_LIMITS.candidates + CANDIDATE_LIMITS.edgesPerPair);
});

test("A target like an example's is considered although its type does not fit; without the examples it is not.", async () => {
  const schemaOf = (examples: readonly object[]) =>
    parseOntology(
      JSON.stringify({
        ontology: {
          hierarchy: [{ level: 0, node_types: { Person: {}, Trade: {} } }],
          edge_types: [{ name: "TRADE", source_types: ["Person"], target_types: ["Trade"], examples }],
        },
      }),
    );
  const targetsOf = async (examples: readonly object[]) => {
    const reader = await createRelationReader(schemaOf(examples), { embed, tag, encode });
    const text = "Ida Holm is a retired teacher.";
    const tokens = tag(text, { start: 0, end: text.length });
    const mentions = findEntityMentions(tokens).map((mention) => ({
      ...mention,
      typeScores: Float32Array.of(0.9, 0),
    }));
    const { candidates } = await reader.read(
      { index: 0, tokens, mentions, encoded: await encode(text), offset: 0 },
      [],
    );
    return candidates.map(({ target }) => text.slice(mentions[target]?.start, mentions[target]?.end));
  };
  const example = { source: "Lars Dahl", target: "teacher", text: "Lars Dahl was a teacher." };
  assert.ok((await targetsOf([example])).includes("teacher"));
  assert.deepEqual(await targetsOf([]), []);
});
