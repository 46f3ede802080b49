import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear } from "../../../../../test/support/growth.ts";
import { parseOntology } from "../../../../domain/ontology-schema.ts";
import { CANDIDATE_LIMITS, createFit, findCandidates } from "./candidates.ts";
import { profileEdges } from "./edge-profile.ts";
import type { TypedMention } from "./relation-types.ts";
import type { SentenceView } from "./sentence-context.ts";
import { createTriggerStem } from "./word-forms.ts";

const MENTIONS = 12;

/** As many node types as edge types; every name may be of any type. */
function createScene(count: number) {
  const names = Array.from({ length: count }, (_, at) => `Kind${at}`);
  const edge_types = names.map((name, at) => {
    return { name: `E${at}`, source_types: [name], target_types: [names[(at + 1) % count] ?? name] };
  });
  const node_types = Object.fromEntries(names.map((name) => [name, {}]));
  const ontology = { hierarchy: [{ level: 0, node_types }], edge_types };
  const edges = profileEdges(parseOntology(JSON.stringify({ ontology })), createTriggerStem());
  const mentions = Array.from({ length: MENTIONS }, (_, at): TypedMention => {
    const place = { start: 2 * at, end: 2 * at + 1, from: 2 * at, to: 2 * at + 1 };
    const typeScores = new Float32Array(count).fill(1 / count);
    return { ...place, kind: "proper", variantOf: null, typeScores };
  });
  // What else a view has is not looked at.
  const view = { mentions, tokens: [], firstVerb: 1, openingPronoun: null } as unknown as SentenceView;
  return { view, edges };
}

function createSearch(count: number) {
  const { view, edges } = createScene(count);
  return () => findCandidates(view, { edges, distant: [], isLikeExample: () => false });
}

test("the search for candidates takes time in proportion to the types and the edge types", async () => {
  const works = new Map([
    [300, createSearch(300)],
    [1_200, createSearch(1_200)],
  ]);
  await assertLinear("candidates by types", 300, (size) => works.get(size)?.());
});

test("the types of an edge type are read once for each end that a mention may be", () => {
  const { view, edges } = createScene(40);
  let reads = 0;
  const counted = (types: readonly number[]) =>
    new Proxy(types, {
      get: (target, key, receiver) => {
        if (key === "0") reads++;
        return Reflect.get(target, key, receiver);
      },
    });
  const all = edges.map((edge) => ({
    ...edge,
    targets: counted(edge.targets),
    sources: counted(edge.sources),
  }));
  findCandidates(view, { edges: all, distant: [], isLikeExample: () => true });
  const sources = CANDIDATE_LIMITS.sources + 1; // One more: all types that a source may be of are joined first.
  assert.ok(reads <= edges.length * (MENTIONS + sources), String(reads));
});

test("of too many edge types that may join two mentions the likeliest are kept, of equals the first", () => {
  const { view, edges } = createScene(40);
  const found = findCandidates(view, { edges, distant: [], isLikeExample: () => true });
  const shareOf = ({ sourceFit, targetFit }: (typeof found)[number]) => sourceFit.share * targetFit.share;
  const ofPair = found.filter(({ source, target }) => source.mention === 0 && target === 1);
  assert.equal(ofPair.length, CANDIDATE_LIMITS.edgesPerPair);
  const sorted = ofPair.toSorted((a, b) => shareOf(b) - shareOf(a) || a.edge - b.edge);
  assert.deepEqual(ofPair, sorted);
  assert.equal(ofPair[0]?.edge, 0);
});

test("the fit of a mention is its score of these types, and the share of that in all scores", () => {
  const fitOf = createFit();
  const scores = Float32Array.of(0.25, 0.25, 0, 0.5);
  assert.deepEqual(fitOf(scores, [0, 3]), { fit: 0.75, share: 0.75 });
  assert.deepEqual(fitOf(Float32Array.of(0.25, 0.25), [1]), { fit: 0.25, share: 0.5 });
  assert.deepEqual(fitOf(new Float32Array(2), [1]), { fit: 0, share: 0 });
});
