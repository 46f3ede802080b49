import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOntology } from "../../../../domain/ontology-schema.ts";
import { createRecentMap } from "../facts/recent-map.ts";
import { findEntityMentions } from "../mentions/find-entity-mentions.ts";
import { createTriggerStem } from "../relations/word-forms.ts";
import { createWordVectors } from "../relations/word-vectors.ts";
import { createTagger } from "../statements/create-tagger.ts";
import { describePairs, PAIR_FEATURES, profilePairEdges } from "./pair-features.ts";

const schema = parseOntology(
  JSON.stringify({
    ontology: {
      hierarchy: [{ level: 0, node_types: { Mill: {}, Miller: {} } }],
      edge_types: [
        { name: "built_by", source_types: ["Mill"], target_types: ["Miller"] },
        { name: "bought", source_types: ["Mill"], target_types: ["Mill"] },
      ],
    },
  }),
);
const tag = createTagger();
const embed = () => Promise.resolve(new Float32Array(8));

async function pairsOf(text: string, types: Readonly<Record<string, "Mill" | "Miller">>) {
  const tokens = tag(text, { start: 0, end: text.length });
  const mentions = findEntityMentions(tokens);
  const names = Object.entries(types).flatMap(([name, type]) => {
    const mention = mentions.find(({ start, end }) => text.slice(start, end) === name);
    assert.ok(mention !== undefined, name);
    const logShares = type === "Mill" ? [0, -9] : [-9, 0];
    return [{ mention, name, key: name.toLowerCase(), none: 0.1, logShares }];
  });
  const edges = await profilePairEdges(schema, embed);
  const likeness = createRecentMap<string, readonly number[]>(8);
  const context = { edges, vectors: createWordVectors(embed), stem: createTriggerStem(), likeness };
  names.sort((a, b) => a.mention.from - b.mention.from);
  return (await describePairs({ tokens, names }, context)).map(({ source, edge, target, features }) => ({
    said: `${source.name} ${schema.edgeTypes[edge]?.name} ${target.name}`,
    feature: (name: (typeof PAIR_FEATURES)[number]) => features[PAIR_FEATURES.indexOf(name)],
    features,
  }));
}

test("only pairs whose types fit are described, the right way round", async () => {
  const pairs = await pairsOf("Jon Feld built Orrick.", { "Jon Feld": "Miller", Orrick: "Mill" });
  assert.deepEqual(
    pairs.map(({ said }) => said),
    ["Orrick built_by Jon Feld"],
  );
  assert.equal(pairs[0]?.features.length, PAIR_FEATURES.length);
});

test("words of the edge type between the names are a trigger", async () => {
  const [told] = await pairsOf("Orrick was built by Jon Feld.", { Orrick: "Mill", "Jon Feld": "Miller" });
  const [other] = await pairsOf("Orrick was seen by Jon Feld.", { Orrick: "Mill", "Jon Feld": "Miller" });
  assert.ok((told?.feature("trigger") ?? 0) > 0.5);
  assert.equal(other?.feature("trigger"), 0);
  assert.equal(told?.feature("agent"), 1);
});

test("of two things of a type the first does it, unless the verb is passive", async () => {
  const mills = { Orrick: "Mill", Tessel: "Mill" } as const;
  const said = async (text: string) => (await pairsOf(text, mills)).map((pair) => pair.said);
  assert.deepEqual(await said("Orrick bought Tessel."), ["Orrick bought Tessel"]);
  assert.deepEqual(await said("Orrick was bought by Tessel."), ["Tessel bought Orrick"]);
  assert.deepEqual(await said("Here stand Orrick and Tessel."), []);
});
