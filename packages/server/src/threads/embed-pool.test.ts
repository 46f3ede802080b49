import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openMiniLmEmbedder, silenceModelRuntime } from "../adapters/models/minilm-embedder.ts";
import { createEmbedPool } from "./embed-pool.ts";

/** Of many lengths, because kernels differ by the number of tokens; the last is cut at the model's limit. */
const texts = [1, 2, 3, 7, 12, 30, 61, 90, 128, 400].map((words) =>
  Array.from(
    { length: words },
    (_, at) => ["pump", "valves", "of", "the", "Harbour", "42"][(at * words) % 6],
  ).join(" "),
);

let modelDir: string;
let alone: readonly Float32Array[];

before(async () => {
  silenceModelRuntime();
  modelDir = await mkdtemp(join(tmpdir(), "kcs-embed-pool-"));
  const embedder = await openMiniLmEmbedder(modelDir);
  const vectors: Float32Array[] = [];
  for (const text of texts) vectors.push(await embedder.embed(text));
  await embedder.close();
  alone = vectors;
});
after(() => rm(modelDir, { recursive: true, force: true }));

for (const threads of [1, 3]) {
  test(`a text has the same bytes alone and in company on ${threads} thread${threads > 1 ? "s" : ""}`, async () => {
    const pool = createEmbedPool({
      threads,
      modelDir,
      logLevel: "error",
      countTokens: (text) => text.length,
    });
    try {
      // Every text meets different neighbours, before and beside it, in each of the rounds.
      for (const order of [texts, texts.toReversed(), [...texts, ...texts.slice(3), ...texts]]) {
        const vectors = await Promise.all(order.map((text) => pool.embed(text)));
        for (const [at, vector] of vectors.entries()) {
          assert.deepEqual(vector, alone[texts.indexOf(order[at] ?? "")], `place ${at} of ${order.length}`);
        }
      }
    } finally {
      await pool.close();
    }
  });
}
