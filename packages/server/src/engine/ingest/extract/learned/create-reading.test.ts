import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOntology } from "../../../../domain/ontology-schema.ts";
import type { FactLabels, FactNumbers } from "../../../../ports/fact-model.ts";
import { createReadText } from "./create-reading.ts";

/** 30 types and 30 edge types: two runs. */
const SCHEMA = parseOntology(
  JSON.stringify({
    ontology: {
      hierarchy: [
        {
          level: 0,
          node_types: Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`T${at}`, {}])),
        },
      ],
      edge_types: Array.from({ length: 30 }, (_, at) => ({
        name: `E${at}`,
        source_types: ["T0"],
        target_types: ["T1"],
      })),
    },
  }),
);

/** The model likes the last label of each run best. */
function numbersOf(tokens: number, { types, relations }: FactLabels): FactNumbers {
  const labels = types + relations;
  const zeros = (length: number) => new Float32Array(length);
  const liked = zeros(tokens * labels);
  for (let token = 0; token < tokens; token++) liked[token * labels + labels - 1] = 4;
  return {
    ...{ tokens, types, relations },
    tokenProducts: zeros(3 * tokens * (labels + 1)).fill(-9),
    tokenBiases: zeros(3 * (labels + 1)),
    spanParts: zeros(tokens * 768),
    typeTokens: liked,
    typeLabels: zeros(labels * 256),
    pairParts: zeros(tokens * 1_920),
    edgeTokens: liked,
    edgeLabels: zeros(labels * 384),
    edgeBias: zeros(labels),
    distances: zeros(32 * 384),
    none: zeros(256),
    noneBias: 0,
  };
}

test("an ontology of several runs is read as one, in the order of the schema, at the offsets of the document", async () => {
  const read: FactLabels[] = [];
  const model = {
    async read({ tokens }: { readonly tokens: number }, labels: FactLabels) {
      read.push(labels);
      return numbersOf(tokens, labels);
    },
  };
  const readText = await createReadText(SCHEMA, { model, embed: async () => Float32Array.of(1) });
  const text = { lower: new Float32Array(5), starts: [0, 4, 9], ends: [3, 8, 12] };
  const reading = await readText(text, 100);
  assert.deepEqual(
    read.map(({ types, relations }) => [types, relations]),
    [
      [30, 0],
      [0, 30],
    ],
  );
  const shares = reading.typesOf({ start: 100, end: 103 }) ?? assert.fail();
  assert.equal(shares.indexOf(Math.max(...shares)), 29);
  assert.ok(shares.reduce((sum, share) => sum + share, 0) < 1);
  const { logits } = reading.pairOf({ start: 100, end: 103 }, { start: 109, end: 112 }) ?? assert.fail();
  assert.equal(logits.indexOf(Math.max(...logits)), 29);
  assert.equal(reading.typesOf({ start: 0, end: 3 }), null);
});

test("of a huge ontology it is told which types the model is not asked for", async () => {
  const node_types = Object.fromEntries(Array.from({ length: 390 }, (_, at) => [`T${at}`, {}]));
  const schema = parseOntology(JSON.stringify({ ontology: { hierarchy: [{ level: 0, node_types }] } }));
  const model = {
    read: async ({ tokens }: { readonly tokens: number }, labels: FactLabels) => numbersOf(tokens, labels),
  };
  const readText = await createReadText(schema, { model, embed: async () => Float32Array.of(1) });
  const reading = await readText({ lower: new Float32Array(3), starts: [0], ends: [3] }, 0);
  assert.deepEqual([...reading.unreadTypes], [384, 385, 386, 387, 388, 389]);
});
