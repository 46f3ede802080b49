import assert from "node:assert/strict";
import { test } from "node:test";
import { tableOf } from "./table.ts";

const embedder = {
  passagesSeconds: 16.04,
  passagesCpuSeconds: 15.9,
  question: { p50Ms: 2.94, p95Ms: 4, maxMs: 9, questions: 3 },
};
const way = { way: "mix", p50Ms: 10.12, p95Ms: 20, cpuMs: 8.5, recall2: 71.9, recall5: null };
const model = { chats: 1, texts: 9, embedded: 3, embeddedSeconds: 0.71 };
const ingest = { passages: 40, seconds: 1.26, cpuSeconds: 2, model };
const measured = { kind: "measured", ingest, peakPssMiB: Number.NaN, diskMiB: 3, ways: [way, way] } as const;

function rowsOf(outcomes: Parameters<typeof tableOf>[0]): readonly (readonly string[])[] {
  const lines = tableOf(outcomes, { embedder, passages: 100 }).split("\n");
  return lines.map((line) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

test("every row has the header's columns, and each further way of a peer its own row", () => {
  const rows = rowsOf([{ name: "a", version: "1", needed: "a|b", ...measured }]);
  assert.deepEqual(
    rows.map((row) => row.length),
    rows.map(() => rows[0]?.length),
  );
  assert.deepEqual(rows[3], [
    ...["a", "1", "mix", "1.3 for 40 passages (0.7 embedding)", "2", "–", "3"],
    ...["10.1", "20", "8.5", "71.9", "–", "a\\|b"],
  ]);
  assert.deepEqual(rows[4]?.slice(0, 5), ["", "", "mix", "", ""]);
});

test("a peer that was not measured is in the table with the reason", () => {
  const rows = rowsOf([
    { name: "a", version: "1", needed: "x", kind: "missing", reason: "no\nwheel" },
    { name: "b", version: "2", needed: "y", kind: "failed", reason: "it ended" },
  ]);
  assert.equal(rows[3]?.at(-1), "Not installed: no wheel. Needs x");
  assert.equal(rows[4]?.at(-1), "Failed: it ended. Needs y");
});
