import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { assertLinear } from "../../../test/support/growth.ts";
import type { MentionedChunk } from "../../ports/graph-browser.ts";
import {
  type Companion,
  compareCompanions,
  findCompanions,
  isRepeated,
  isTogether,
  logLikelihoodRatio,
  strengthOf,
} from "./associations.ts";

/** A chunk from its text: words in capitals are mentions of entities of that name. */
function chunkOf(text: string, versionId = 1, start = 0): MentionedChunk {
  const mentions = [...text.matchAll(/[A-Z]+/g)].map(({ 0: name, index }) => ({
    entityId: name,
    key: name.toLowerCase(),
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
  test("are close where one sentence mentions both, however far apart", async () => {
    const text = `A went with B and ${"x".repeat(200)} with C. D stayed.`;
    const found = await findCompanions([chunkOf(text)], "A", () => sentencesOf(text));
    assert.deepEqual(summary(found), ["B 1 1", "C 1 1", "D 1 0"]);
  });

  test("are close up to a distance where the sentences are not known", async () => {
    const text = `A and B, ${"x".repeat(150)} C`;
    const found = await findCompanions([chunkOf(text)], "A", () => []);
    assert.deepEqual(summary(found), ["B 1 1", "C 1 0"]);
    assert.deepEqual(
      found.map(({ distance }) => distance),
      [5, 159],
    );
  });

  test("have no overlapping mentions: a part of a name is not together with the name", async () => {
    const mentions = [
      { entityId: "A", key: "ada holm", start: 0, end: 8 },
      { entityId: "B", key: "holm street", start: 4, end: 15 },
    ];
    assert.deepEqual(await findCompanions([{ versionId: 1, position: 0, mentions }], "A", () => []), []);
  });

  test("have names of which none is a part of the other: both may denote one thing", async () => {
    const mentions = [
      { entityId: "A", key: "ada holm", start: 0, end: 8 },
      { entityId: "B", key: "ada", start: 20, end: 23 },
      { entityId: "C", key: "ada lind", start: 30, end: 38 },
    ];
    const chunk = { versionId: 1, position: 0, mentions };
    assert.deepEqual(summary(await findCompanions([chunk], "A", () => [])), ["C 1 1"]);
    assert.deepEqual(await findCompanions([chunk], "B", () => []), []);
  });

  test("count a sentence once that is in two chunks", async () => {
    const text = "then A met B.";
    const chunks = [{ ...chunkOf(text), position: 0 }, { ...chunkOf(text), position: 1 }, chunkOf(text, 2)];
    assert.deepEqual(summary(await findCompanions(chunks, "A", () => [])), ["B 2 2"]);
  });

  test("have the closest places first, from the first to the last sentence that mentions the two", async () => {
    const texts = ["A. and. B. x", "x A of B. x", "A with B.", "B or A."];
    const chunks = texts.map((text, at) => chunkOf(text, at));
    const [found] = await findCompanions(chunks, "A", ({ versionId }) => sentencesOf(texts[versionId] ?? ""));
    assert.deepEqual(
      found?.places.map(({ versionId, start, end }) => texts[versionId]?.slice(start, end)),
      ["x A of B.", "B or A.", "A with B."],
    );
    const [apart] = await findCompanions(chunks.slice(0, 1), "A", () => sentencesOf(texts[0] ?? ""));
    assert.deepEqual(
      apart?.places.map(({ start, end }) => texts[0]?.slice(start, end)),
      ["A. and. B."],
    );
  });
});

describe("many mentions", () => {
  /** Every other mention is of "M". */
  const listOf = (count: number, names: number, versionId = 1): MentionedChunk => ({
    ...{ versionId, position: 0 },
    mentions: Array.from({ length: count }, (_, at) => {
      const name = at % 2 === 0 ? "M" : `N${at % names}`;
      return { entityId: name, key: name.toLowerCase(), start: 10 * at, end: 10 * at + 3 };
    }),
  });

  test("of a chunk are compared in time that grows with their number alone", async () => {
    await assertLinear("mentions of a chunk", 1_500, (count) =>
      findCompanions([listOf(count, count)], "M", () => [{ start: 0, end: 10 * count }]),
    );
  });

  test("in many chunks are compared a few chunks in each turn of the event loop", async () => {
    let turns = 0;
    const count = () => {
      turns += 1;
      immediate = setImmediate(count);
    };
    let immediate = setImmediate(count);
    const readIn: number[] = [];
    const chunks = Array.from({ length: 200 }, (_, at) => listOf(100, 100, at));
    const found = await findCompanions(chunks, "M", () => {
      readIn.push(turns);
      return [];
    });
    clearImmediate(immediate);
    assert.equal(found.length, 50);
    const most = Math.max(...[...Map.groupBy(readIn, (each) => each).values()].map(({ length }) => length));
    assert.ok(most <= 21, `${most} chunks in a turn`);
  });

  test("of several names have the pairs that comparing each with each finds", async () => {
    const names = ["ada", "ada holm", "holm", "bob", "cid", "lee"];
    const mention = fc.record({
      entityId: fc.constantFrom("M", "M", "A", "B", "C"),
      key: fc.constantFrom(...names),
      start: fc.nat(60),
      units: fc.integer({ min: 1, max: 8 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(mention, { maxLength: 20 }), async (drawn) => {
        const mentions = drawn
          .map(({ units, ...each }) => ({ ...each, end: each.start + units }))
          .sort((a, b) => a.start - b.start || a.end - b.end);
        const found = await findCompanions([{ versionId: 1, position: 0, mentions }], "M", () => []);
        const places = found.map(({ entityId, distance, places: [place] }) => ({
          ...{ entityId, distance, start: place?.start, end: place?.end },
        }));
        assert.deepEqual(places, comparedAll(mentions));
      }),
    );
  });
});

/** The closest pair of each entity with "M", the first of equally close ones. */
function comparedAll(mentions: MentionedChunk["mentions"]) {
  const found = new Map<string, { entityId: string; distance: number; start: number; end: number }>();
  const isIn = (key: string, other: string) =>
    key.split(" ").every((word) => other.split(" ").includes(word));
  for (const other of mentions.filter(({ entityId }) => entityId !== "M")) {
    for (const own of mentions.filter(({ entityId }) => entityId === "M")) {
      const { entityId, key } = other;
      const distance = Math.max(other.start - own.end, own.start - other.end);
      if (distance < 0 || distance >= (found.get(entityId)?.distance ?? Number.POSITIVE_INFINITY)) continue;
      if (isIn(own.key, key) || isIn(key, own.key)) continue;
      const [start, end] = [Math.min(own.start, other.start), Math.max(own.end, other.end)];
      found.set(entityId, { entityId, distance, start, end });
    }
  }
  return [...found.values()];
}

test("an entity is repeated by a second mention, in one chunk or in two", () => {
  const once = chunkOf("A and B.");
  assert.ok(!isRepeated([once], "A"));
  assert.ok(isRepeated([chunkOf("A and A.")], "A"));
  assert.ok(isRepeated([once, chunkOf("A and B.", 2)], "A"));
});

describe("two companions", () => {
  const companion = (chunks: number, close: number, distance = 10, entityId = "a"): Companion => ({
    ...{ entityId, key: "a", chunks, close, distance },
    places: [],
  });

  test("of equal numbers are ordered by name, whatever their ids are", async () => {
    const text = "M met N and A.";
    const order = async (ids: Readonly<Record<string, string>>) => {
      const { mentions, ...chunk } = chunkOf(text);
      const renamed = mentions.map((mention) => ({ ...mention, entityId: ids[mention.entityId] ?? "?" }));
      const found = await findCompanions([{ ...chunk, mentions: renamed }], ids["M"] ?? "", () =>
        sentencesOf(text),
      );
      const same = found.map((each) => ({ ...each, distance: 1 }));
      return same.sort(compareCompanions).map(({ key }) => key);
    };
    assert.deepEqual(await order({ M: "1", N: "2", A: "3" }), ["a", "n"]);
    assert.deepEqual(await order({ M: "1", N: "3", A: "2" }), ["a", "n"]);
    const mentions = ["zed", "ada", "bob"].map((key, at) => ({
      entityId: at === 1 ? "M" : "N",
      key,
      start: at * 10,
      end: at * 10 + 3,
    }));
    const [both] = await findCompanions([{ versionId: 1, position: 0, mentions }], "M", () => []);
    assert.equal(both?.key, "bob", "the first of its names");
  });

  test("are ordered by shared sentences, shared chunks, distance and id", () => {
    const all = [companion(1, 0, 8), companion(1, 0, 9), companion(9, 0), companion(2, 2), companion(3, 2)];
    const sorted = [...all, companion(1, 0, 8, "b")].sort(compareCompanions);
    assert.deepEqual(
      sorted.map(({ chunks, close, distance, entityId }) => [close, chunks, distance, entityId].join(" ")),
      ["2 3 10 a", "2 2 10 a", "0 9 10 a", "0 1 8 a", "0 1 8 b", "0 1 9 a"],
    );
  });

  test("that share no sentence are together only if chance makes it unlikely", () => {
    const own = { own: 2, other: 2 };
    assert.ok(isTogether(companion(2, 0), { ...own, total: 1_000 }));
    assert.ok(!isTogether(companion(2, 0), { ...own, total: 4 }));
    assert.ok(!isTogether(companion(1, 0), { own: 1, other: 1, total: 1_000_000 }));
    assert.ok(isTogether(companion(2, 1), { ...own, total: 2 }));
    assert.equal(strengthOf(companion(2, 1), { ...own, total: 2 }), 0);
  });

  test("are stronger by a shared sentence than by a shared passage, and by rare names than by frequent ones", () => {
    const rare = { own: 4, other: 4, total: 1_000 };
    const strength = (close: number, occurrences = rare) => strengthOf(companion(3, close), occurrences);
    assert.ok(strength(3) > strength(1));
    assert.ok(strength(1) > strength(0));
    assert.ok(strength(0) > 0);
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
