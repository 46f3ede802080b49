import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear } from "../../../../../test/support/growth.ts";
import { parseOntology } from "../../../../domain/ontology-schema.ts";
import { createRecentMap } from "../../../../domain/recent-map.ts";
import { findEntityMentions } from "../mentions/find-entity-mentions.ts";
import { createTriggerStem } from "../relations/word-forms.ts";
import { createTagger } from "../statements/create-tagger.ts";
import { describePairs, PAIR_FEATURES, profilePairEdges } from "./pair-features.ts";
import { bestOfOthers } from "./pair-fits.ts";
import { createWordVectors } from "./word-vectors.ts";

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
  const context = {
    edges,
    vectors: createWordVectors(embed),
    stem: createTriggerStem(),
    likeness,
    centre: null,
  };
  names.sort((a, b) => a.mention.from - b.mention.from);
  return (await describePairs({ tokens, names, stateOf: () => new Float32Array(8) }, context)).map(
    ({ source, edge, target, features }) => ({
      said: `${source.name} ${schema.edgeTypes[edge]?.name} ${target.name}`,
      feature: (name: (typeof PAIR_FEATURES)[number]) => features[PAIR_FEATURES.indexOf(name)],
      features,
    }),
  );
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

test("for each value the largest of the others is known", () => {
  const others = (values: readonly number[]) => values.map((_, at) => bestOfOthers(values)(at));
  assert.deepEqual(others([2, 5, 5, 1]), [5, 5, 5, 5]);
  assert.deepEqual(others([3, 9, 4]), [9, 4, 9]);
  assert.deepEqual(others([7]), [Number.NEGATIVE_INFINITY]);
});

test("the pairs of a sentence take time in proportion to the edge types, and are bounded", async () => {
  const text = "Jon Feld, Ida Marsk and Per Lund left Orrick and Tessel for the mills of Harrow.";
  const tokens = tag(text, { start: 0, end: text.length });
  const names = findEntityMentions(tokens)
    .filter(({ kind, variantOf }) => kind === "proper" && variantOf === null)
    .map((mention) => {
      const name = text.slice(mention.start, mention.end);
      return { mention, name, key: name.toLowerCase(), none: 0.1, logShares: [0, 0] };
    });
  assert.ok(names.length > 3);
  const describe = async (count: number) => {
    const edge_types = Array.from({ length: count }, (_, at) => {
      return { name: `E${at}`, source_types: ["Mill", "Miller"], target_types: ["Mill", "Miller"] };
    });
    const hierarchy = [{ level: 0, node_types: { Mill: {}, Miller: {} } }];
    const many = parseOntology(JSON.stringify({ ontology: { hierarchy, edge_types } }));
    const edges = await profilePairEdges(many, embed);
    const likeness = createRecentMap<string, readonly number[]>(8);
    const context = {
      edges,
      vectors: createWordVectors(embed),
      stem: createTriggerStem(),
      likeness,
      centre: null,
    };
    return () => describePairs({ tokens, names, stateOf: () => new Float32Array(8) }, context);
  };
  const works = new Map([
    [200, await describe(200)],
    [800, await describe(800)],
  ]);
  await assertLinear("pairs by edge types", 200, (size) => works.get(size)?.());
  const most = (await (await describe(2_000))()).length;
  assert.ok(most > 11_000 && most <= 12_000, String(most));
});

test("each end of an edge type is read once for a name, however many pairs it is in", async () => {
  const text = "Jon Feld, Ida Marsk, Per Lund, Eva Holt, Max Brand and Ole Dahl left Orrick and Tessel.";
  const tokens = tag(text, { start: 0, end: text.length });
  const mentions = findEntityMentions(tokens).filter(({ kind }) => kind === "proper");
  const names = mentions.map((mention, at) => {
    return { mention, name: `${at}`, key: `${at}`, none: 0.1, logShares: [0, 0] };
  });
  const profiled = await profilePairEdges(schema, embed);
  let reads = 0;
  const counted = (types: readonly number[]) =>
    new Proxy(types, {
      get: (target, key, receiver) => {
        if (key === "0") reads++;
        return Reflect.get(target, key, receiver);
      },
    });
  const edges = profiled.map((edge) => {
    const { sources, targets } = edge.profile;
    return { ...edge, profile: { ...edge.profile, sources: counted(sources), targets: counted(targets) } };
  });
  const likeness = createRecentMap<string, readonly number[]>(8);
  const context = {
    edges,
    vectors: createWordVectors(embed),
    stem: createTriggerStem(),
    likeness,
    centre: null,
  };
  await describePairs({ tokens, names, stateOf: () => new Float32Array(8) }, context);
  assert.ok(names.length >= 7, String(names.length));
  assert.equal(reads, names.length * edges.length * 2);
});
