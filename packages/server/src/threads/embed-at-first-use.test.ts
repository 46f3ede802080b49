import assert from "node:assert/strict";
import { test } from "node:test";
import { ModelUnavailableError } from "@kcs/minilm";
import { ServiceError } from "../domain/errors.ts";
import { embedAtFirstUse } from "./embed-at-first-use.ts";

test("the model is opened by the first text, once, and again after a failure", async () => {
  let opened = 0;
  const embedder = embedAtFirstUse(async () => {
    if (++opened === 1) throw new ModelUnavailableError("model.onnx is missing");
    if (opened === 2) throw new Error("EIO");
    return { embed: async () => Float32Array.of(1) };
  });
  assert.equal(opened, 0);
  const isTold = (reason: RegExp) => (error: unknown) =>
    error instanceof ServiceError && error.kind === "unavailable" && reason.test(error.message);
  await assert.rejects(embedder.embed("a"), isTold(/cannot be opened: model\.onnx is missing/));
  await assert.rejects(embedder.embed("a"), isTold(/cannot be opened: It cannot be read\./));
  const vectors = await Promise.all([embedder.embed("a"), embedder.embed("b")]);
  assert.deepEqual([opened, vectors.length], [3, 2]);
});
