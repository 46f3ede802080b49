import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOntology } from "../../../../domain/ontology-schema.ts";
import type { TypedSentence } from "../types/type-scores.ts";
import { readTestPassage } from "./test-sentences.ts";
import { createTypedReader } from "./typed-passage.ts";

const TYPES = ["Town", "Person", "Mill"];
const schema = parseOntology(
  JSON.stringify({
    ontology: {
      hierarchy: [{ level: 0, node_types: Object.fromEntries(TYPES.map((name) => [name, {}])) }],
    },
  }),
);

/** Names that are surely of the type for one model, to which the other gives this share of it; null = it is not asked for the type. */
async function sureNames(text: string, type: string, readShare: number | null): Promise<readonly string[]> {
  const shares = Float32Array.from(TYPES, (name) => (name === type ? 0.8 : 0.05));
  const typer = {
    types: TYPES,
    score: ({ mentions }: TypedSentence) => mentions.map(() => ({ types: shares, none: 0.1 })),
  };
  const reading = {
    names: [],
    unreadTypes: new Set(readShare === null ? [TYPES.indexOf(type)] : []),
    typesOf: () => Float32Array.from(TYPES, (name) => (name === type ? (readShare ?? 0) : 0.01)),
    pairOf: () => null,
  };
  const { possible } = await createTypedReader(schema, typer)(readTestPassage(text, {}).passage, {
    aliases: [],
    reading,
  });
  return possible.filter((one) => one.isSure && one.type === type).map(({ name }) => name);
}

test("a name is of a type where both models say so", async () => {
  assert.deepEqual(await sureNames("We went to Kassel.", "Town", 0.6), ["Kassel"]);
  assert.deepEqual(await sureNames("We went to Kassel.", "Town", 0.05), []);
});

test("a name is of a type that the model which reads facts is not asked for where the other says so", async () => {
  assert.deepEqual(await sureNames("We went to Kassel.", "Town", null), ["Kassel"]);
});

test("people, and names that say themselves what they are, need one model alone", async () => {
  assert.deepEqual(await sureNames("We met Ada Holt.", "Person", 0.05), ["Ada Holt"]);
  assert.deepEqual(await sureNames("We saw Orrick Mill.", "Mill", 0.05), ["Orrick Mill"]);
  assert.deepEqual(await sureNames("We saw Orrick.", "Mill", 0.05), []);
});
