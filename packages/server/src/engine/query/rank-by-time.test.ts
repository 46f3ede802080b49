import assert from "node:assert/strict";
import { test } from "node:test";
import type { RankedChunk } from "../../domain/query.ts";
import { rankByTime } from "./rank-by-time.ts";

interface Written {
  readonly name: string;
  readonly date?: string;
  readonly text?: string;
}

/** All are equally similar, the first ones a little more. */
function chunksOf(documents: readonly Written[]): readonly RankedChunk[] {
  return documents.map(({ name, text = "The mill is run by Ilse." }, at) => ({
    ...{ versionId: at + 1, position: 3, sourceDocId: name, text, start: 0, end: text.length },
    similarity: 0.8 - 0.0001 * at,
  }));
}

async function order(documents: readonly Written[], date: string) {
  const store = {
    readHeads: async ({ versionIds }: { readonly versionIds: readonly number[] }) =>
      versionIds.map((id) => {
        const at = documents[id - 1]?.date;
        return at === undefined ? null : { text: "The mill.", metadata: { date: at } };
      }),
  };
  const moment = { date, by: "request" as const };
  const { ranked, dated } = await rankByTime(chunksOf(documents), {
    projectId: "p",
    moment,
    terms: null,
    store,
  });
  return { names: ranked.map(({ sourceDocId }) => sourceDocId), ranked, dated };
}

test("of equally similar passages those of the time come first, then older ones, then later ones", async () => {
  const documents = [
    { name: "ten years later", date: "2030-01-01" },
    { name: "a month later", date: "2020-04-15" },
    { name: "years before", date: "2016" },
    { name: "just before", date: "2020-02-20" },
    { name: "undated" },
    { name: "of the month", date: "2020-03" },
  ];
  const { names } = await order(documents, "2020-03-01");
  assert.deepEqual(names, [
    "undated",
    "of the month",
    "just before",
    "years before",
    "a month later",
    "ten years later",
  ]);
});

test("nothing of a year is later than that year", async () => {
  const { dated } = await order(
    [
      { name: "december", date: "2020-12-31" },
      { name: "january", date: "2021-01-01" },
    ],
    "2020",
  );
  assert.deepEqual(
    dated.map(({ date, share }) => [date, share]),
    [
      ["2020-12-31", 1],
      ["2021-01-01", 0.8],
    ],
  );
});

test("a later document that names the year keeps its similarity, one of the same year does not", async () => {
  const text = "In 2020 the mill was run by Ann.";
  const { dated } = await order(
    [
      { name: "history", date: "2029-05-01", text },
      { name: "autumn", date: "2020-10-01", text },
      { name: "silent", date: "2029-05-01" },
    ],
    "2020-03",
  );
  const shares = Object.fromEntries(dated.map(({ sourceDocId, share }) => [sourceDocId, share]));
  assert.equal(shares["history"], 1);
  assert.ok((shares["autumn"] ?? 1) < 0.5);
  assert.equal(shares["silent"], 0.4);
});

test("nothing is lost, no share leaves its bounds, and the similarities fall", async () => {
  const documents = ["1000", "2999-12-31", "2020-03-01", "1999-07"].map((date) => ({ name: date, date }));
  const { ranked, dated } = await order(documents, "2020-03-01");
  assert.equal(ranked.length, documents.length);
  for (const { share } of dated) assert.ok(share >= 0.4 && share <= 1, String(share));
  const similarities = ranked.map(({ similarity }) => similarity);
  assert.deepEqual(
    similarities,
    similarities.toSorted((one, other) => other - one),
  );
});
