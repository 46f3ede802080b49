import assert from "node:assert/strict";
import { test } from "node:test";
import type { Path, Seed } from "./bridge.ts";
import { createFeatures, type Evidence, FEATURES } from "./features.ts";
import type { ScoredChunk } from "./graph-reader.ts";
import type { Passage } from "./neighbourhood.ts";

const SCORED: ScoredChunk = {
  ...{ versionId: 1, position: 0, sourceDocId: "d", lexical: 0.25, dense: 0.5, score: 0.375 },
};

function passageOf(id: string, names: readonly string[], about: readonly string[]): Passage {
  const subjects = about.map((name) => ({ name, kind: "title" as const }));
  return {
    id,
    scored: SCORED,
    knowledge: {
      subjects,
      ...{ sentences: [], sentenceVectors: new Int8Array(0), mentions: [], statements: [] },
    },
    nearness: { question: Float32Array.of(0.25, 0.5), rest: Float32Array.of(0.75) },
    names: new Map(names.map((name) => [name, 0])),
  };
}

const PASSAGE = passageOf("1/0", ["ada holm"], ["brona"]);
const seed: Seed = { passage: passageOf("2/0", ["ada holm", "odd lund"], []), weight: 0.75 };
const pathTo = (target: string, name: string, more: Partial<Path>): Path => ({
  ...{ seed, name, sentence: 0, target, nearness: 0.5, restNearness: 0.25, rarity: 0.5, score: 1.5, ...more },
});
const EVIDENCE: Evidence = {
  best: 0.75,
  focus: 1,
  linked: new Map([
    ["1/0", 0.5],
    ["2/0", 1],
  ]),
  linkedNames: new Set(["ada holm", "brona", "silver gate", "tin roof"]),
  paths: [
    pathTo("3/0", "odd lund", { restNearness: 0.75 }),
    pathTo("1/0", "ada holm", {}),
    pathTo("1/0", "odd lund", { score: 0.5, nearness: 0.125 }),
  ],
  pageRank: new Map([
    ["3/0", 0.75],
    ["1/0", 0.25],
  ]),
};

function featuresOf(evidence: Evidence, passage: Passage | undefined = PASSAGE) {
  const values = createFeatures(evidence)(SCORED, passage);
  return Object.fromEntries(FEATURES.map((feature, at) => [feature, values[at]]));
}

const HYBRID = { fused: 0.375, fusedShare: 0.5, lexical: 0.25, dense: 0.5, sentence: 0.5, rest: 0.75 };
const NAMES = {
  ...{ linked: 0.5, mentioned: 0.25, covered: 0.5 },
  ...{ bridge: 1.5, bridgeSeed: 0.75, bridgeSentence: 0.5, bridgeRest: 0.25, bridgeRarity: 0.5 },
  ...{ bridgeLinked: 1, bridgeSum: Math.fround(Math.log1p(2)), bridgeFirst: 1, bridged: 1 },
  ...{ bridgeTarget: 1.125, pageRank: 0.25, pageRankFirst: Math.fround(1 / Math.log2(3)) },
};

test("the features of a passage are those of the search, of its names, of its best path and of its rank", () => {
  assert.deepEqual(featuresOf(EVIDENCE), { ...HYBRID, ...NAMES });
});

test("the focus multiplies the features that depend on names alone", () => {
  const halved = Object.entries(NAMES).map(([feature, value]) => [feature, value / 2]);
  assert.deepEqual(featuresOf({ ...EVIDENCE, focus: 0.5 }), { ...HYBRID, ...Object.fromEntries(halved) });
});

test("a chunk without a record, a link and a path has the features of the search alone", () => {
  const nothing = { linked: new Map(), paths: [], pageRank: new Map(), best: 0 };
  const values = createFeatures({ ...EVIDENCE, ...nothing })(SCORED, undefined);
  assert.deepEqual([...values], [0.375, 0, 0.25, 0.5, ...new Array(FEATURES.length - 4).fill(0)]);
});
