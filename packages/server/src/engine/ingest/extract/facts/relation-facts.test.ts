import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOntology } from "../../../../domain/ontology-schema.ts";
import type { FoundEntity } from "./found-entity.ts";
import { type JoinedRelation, joinRelations } from "./relation-facts.ts";
import { readTestPassage } from "./test-sentences.ts";
import { createTypeVotes } from "./type-votes.ts";

test("what a verb says of its subject is not said of another name in its sentence", () => {
  const types = { "Elin Rask": "Person", "Odo Lind": "Person", Orsk: "City" };
  const { passage, entities } = readTestPassage("Elin Rask met Odo Lind and lives in Orsk.", types);
  const [elin, odo, orsk] = entities as readonly [FoundEntity, FoundEntity, FoundEntity]; // As named above.
  const lives = (source: FoundEntity, more: Partial<JoinedRelation>): JoinedRelation => {
    return {
      type: "LIVES_IN",
      source,
      target: orsk,
      sentence: 0,
      confidence: 0.9,
      extractor: "pair",
      ...more,
    };
  };
  const sourcesWith = (stated: readonly JoinedRelation[]) =>
    joinRelations({
      schema: parseOntology(JSON.stringify({ ontology: {} })),
      ...{ passage, typed: { possible: [], sentences: [], votes: createTypeVotes([]) }, subject: null },
      ...{ found: [], stated, likely: [lives(odo, {})], confidenceOf: (_, score) => score, entities },
    }).relations.map(({ source }) => source.name);
  const said = lives(elin, { extractor: "statement", object: orsk.key });
  assert.deepEqual(sourcesWith([said]), ["Elin Rask"]);
  assert.deepEqual(sourcesWith([]), ["Odo Lind"]);
});
