import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { keepPerDocument, type Pass, passUntilFilled } from "./per-document.ts";

test("a list keeps the first chunks of each document in their order", () => {
  const chunks = ["a", "a", "b", "a", "b", "c"].map((sourceDocId, at) => ({ sourceDocId, at }));
  const places = (max: number | null) => keepPerDocument(chunks, max).map(({ at }) => at);
  assert.deepEqual(places(1), [0, 2, 5]);
  assert.deepEqual(places(2), [0, 1, 2, 4, 5]);
  assert.deepEqual(places(null), [0, 1, 2, 3, 4, 5]);
});

/** An index of documents with these numbers of chunks, of which those of earlier documents score higher. */
function indexOf(sizes: readonly number[]) {
  const chunks = sizes.flatMap((size, document) =>
    Array.from({ length: size }, (_, position) => ({ document, position })),
  );
  const passes: ReadonlySet<number>[] = [];
  return {
    passes,
    identities: {
      of(id: number) {
        const { document = -1, position = -1 } = chunks[id] ?? {};
        return { versionId: document, position, sourceDocId: `d${document}` };
      },
    },
    async pass(options: {
      readonly excluded: ReadonlySet<number>;
      readonly keepCount: number;
    }): Promise<Pass> {
      passes.push(options.excluded);
      const best = chunks
        .map(({ document }, id) => ({ id, document, score: 1 / (1 + id) }))
        .filter(({ document }) => !options.excluded.has(document))
        .slice(0, options.keepCount)
        .map(({ id, score }) => ({ id, score }));
      return { best, lexical: new Map(best.map(({ id }) => [id, id])) };
    },
  };
}

test("the list is filled wherever at most seven documents fill the passes, in the order of the scores", async () => {
  const size = fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 900, max: 2_500 }));
  const settings = fc.record({
    sizes: fc
      .array(size, { minLength: 1, maxLength: 40 })
      .filter((sizes) => sizes.filter((each) => each >= 900).length <= 7),
    limit: fc.integer({ min: 1, max: 100 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  await fc.assert(
    fc.asyncProperty(settings, async ({ sizes, limit, share }) => {
      const perDocument = Math.max(1, Math.floor(share * limit));
      const index = indexOf(sizes);
      const { best, lexical } = await passUntilFilled(index.pass, { limit, perDocument, ...index });
      const kept = keepPerDocument(best, perDocument).slice(0, limit);
      const expected = sizes.flatMap((count, document) =>
        Array.from({ length: Math.min(count, perDocument) }, (_, position) => `d${document}/${position}`),
      );
      assert.deepEqual(
        kept.map(({ sourceDocId, position }) => `${sourceDocId}/${position}`),
        expected.slice(0, limit),
      );
      assert.ok(best.every(({ id }) => lexical.get(id) === id));
    }),
    { numRuns: 100 },
  );
});

test("the passes end after eight, also where the list is not full", async () => {
  const index = indexOf(Array.from({ length: 20 }, () => 1_000));
  const { best } = await passUntilFilled(index.pass, { limit: 100, perDocument: 1, ...index });
  assert.equal(index.passes.length, 8);
  assert.equal(keepPerDocument(best, 1).length, 8);
});

test("one pass is enough where it fills the list or sees every chunk", async () => {
  for (const sizes of [[10, 10, 10], Array.from({ length: 200 }, () => 10)]) {
    const index = indexOf(sizes);
    await passUntilFilled(index.pass, { limit: 50, perDocument: 1, ...index });
    assert.equal(index.passes.length, 1);
  }
});
