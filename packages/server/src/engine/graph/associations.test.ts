import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { MentionedChunk } from "../../ports/graph-browser.ts";
import {
  type Companion,
  chooseCandidates,
  findCompanions,
  logLikelihoodRatio,
  strengthOf,
} from "./associations.ts";

/** A chunk from its text: words in capitals are mentions of entities of that name. */
function chunkOf(text: string, versionId = 1, start = 0): MentionedChunk {
  const mentions = [...text.matchAll(/[A-Z]+/g)].map(({ 0: name, index }) => ({
    entityId: name,
    start: start + index,
    end: start + index + name.length,
  }));
  return { versionId, position: start, mentions };
}

/** The sentences end with full stops. */
function sentencesOf(text: string, start = 0) {
  return [...text.matchAll(/[^.]+\./g)].map(({ 0: sentence, index }) => ({
    start: start + index,
    end: start + index + sentence.length,
  }));
}

const summary = (companions: readonly Companion[]) =>
  companions.map(({ entityId, chunks, close }) => `${entityId} ${chunks} ${close}`);

describe("companions", () => {
  test("are close where one sentence mentions both, however far apart", () => {
    const text = `A went with B and ${"x".repeat(200)} with C. D stayed.`;
    const found = findCompanions([chunkOf(text)], "A", () => sentencesOf(text));
    assert.deepEqual(summary(found), ["B 1 1", "C 1 1", "D 1 0"]);
  });

  test("are close up to a distance where the sentences are not known", () => {
    const text = `A and B, ${"x".repeat(150)} C`;
    assert.deepEqual(summary(findCompanions([chunkOf(text)], "A", () => [])), ["B 1 1", "C 1 0"]);
  });

  test("have no overlapping mentions: a part of a name is not together with the name", () => {
    const mentions = [
      { entityId: "A", start: 0, end: 10 },
      { entityId: "B", start: 4, end: 10 },
    ];
    assert.deepEqual(
      findCompanions([{ versionId: 1, position: 0, mentions }], "A", () => []),
      [],
    );
  });

  test("count a sentence once that is in two chunks", () => {
    const text = "then A met B.";
    const chunks = [{ ...chunkOf(text), position: 0 }, { ...chunkOf(text), position: 1 }, chunkOf(text, 2)];
    assert.deepEqual(summary(findCompanions(chunks, "A", () => [])), ["B 2 2"]);
  });

  test("have the closest places first, from the first to the last sentence that mentions the two", () => {
    const texts = ["A. and. B. x", "x A of B. x", "A with B.", "B or A."];
    const chunks = texts.map((text, at) => chunkOf(text, at));
    const [found] = findCompanions(chunks, "A", ({ versionId }) => sentencesOf(texts[versionId] ?? ""));
    assert.deepEqual(
      found?.places.map(({ versionId, start, end }) => texts[versionId]?.slice(start, end)),
      ["x A of B.", "B or A.", "A with B."],
    );
    const [apart] = findCompanions(chunks.slice(0, 1), "A", () => sentencesOf(texts[0] ?? ""));
    assert.deepEqual(
      apart?.places.map(({ start, end }) => texts[0]?.slice(start, end)),
      ["A. and. B."],
    );
  });
});

describe("candidates", () => {
  const companion = (entityId: string, chunks: number, close: number): Companion => ({
    ...{ entityId, chunks, close },
    places: [],
  });

  test("share a sentence or two passages; those that share most come first", () => {
    const all = [companion("a", 1, 0), companion("b", 2, 0), companion("c", 1, 1), companion("d", 4, 1)];
    assert.deepEqual(
      chooseCandidates(all, 9).map(({ entityId }) => entityId),
      ["d", "c", "b"],
    );
    assert.equal(chooseCandidates(all, 1).length, 1);
  });

  test("that share no sentence are associated only if chance makes it unlikely", () => {
    const own = { own: 2, other: 2 };
    assert.ok((strengthOf(companion("a", 2, 0), { ...own, total: 1_000 }) ?? 0) > 0);
    assert.equal(strengthOf(companion("a", 2, 0), { ...own, total: 4 }), null);
    assert.equal(strengthOf(companion("a", 2, 1), { ...own, total: 2 }), 0);
  });

  test("are stronger by a shared sentence than by a shared passage, and by rare names than by frequent ones", () => {
    const rare = { own: 4, other: 4, total: 1_000 };
    const strength = (close: number, occurrences = rare) =>
      strengthOf(companion("a", 3, close), occurrences) ?? 0;
    assert.ok(strength(3) > strength(1));
    assert.ok(strength(1) > strength(0));
    assert.ok(strength(3) > strength(3, { ...rare, other: 400 }));
    assert.ok(strength(3) < 1);
  });
});

describe("the log-likelihood ratio", () => {
  test("is that of a two-by-two table", () => {
    // Dunning (1993), table of bigrams: "the swiss", k(AB) 110, k(A¬B) 2442, k(¬AB) 111, k(¬A¬B) 29114.
    const ratio = logLikelihoodRatio(110, { own: 2_552, other: 221, total: 31_777 });
    assert.equal(ratio.toFixed(2), "270.72");
  });

  test("is the same for both directions, never negative, and 0 below what is expected", () => {
    const count = fc.integer({ min: 0, max: 300 });
    fc.assert(
      fc.property(count, count, count, fc.integer({ min: 1, max: 3_000 }), (together, a, b, total) => {
        const [own, other] = [together + a, together + b];
        const ratio = logLikelihoodRatio(together, { own, other, total });
        const back = logLikelihoodRatio(together, { own: other, other: own, total });
        assert.ok(ratio >= 0 && Number.isFinite(ratio));
        assert.ok(Math.abs(ratio - back) < 1e-6);
        if (together * total < own * other) assert.equal(ratio, 0);
      }),
    );
  });

  test("bears counts that contradict each other", () => {
    assert.equal(logLikelihoodRatio(3, { own: 3, other: 1, total: 0 }), 0);
    assert.ok(Number.isFinite(logLikelihoodRatio(200, { own: 200, other: 150, total: 180 })));
  });
});
