import assert from "node:assert/strict";
import { test } from "node:test";
import { embedAtFirstUse } from "./embed-at-first-use.ts";

test("the model is opened by the first text, once, and again after a failure", async () => {
  let opened = 0;
  const embedder = embedAtFirstUse(async () => {
    if (++opened === 1) throw new Error("model.onnx is missing");
    return { embed: async () => Float32Array.of(1) };
  });
  assert.equal(opened, 0);
  await assert.rejects(embedder.embed("a"), /model\.onnx is missing/);
  const vectors = await Promise.all([embedder.embed("a"), embedder.embed("b")]);
  assert.deepEqual([opened, vectors.length], [2, 2]);
});
