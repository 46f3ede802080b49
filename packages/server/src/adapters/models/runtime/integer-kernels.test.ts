import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { multipliesIntegersExactly } from "./integer-kernels.ts";
import { silenceRuntime } from "./silence-runtime.ts";

silenceRuntime();
const { InferenceSession, Tensor } = await import("onnxruntime-node");

describe("the probe of integer kernels", () => {
  it("detects products that saturate", async () => {
    assert.equal(await multipliesIntegersExactly(runtimeWithProducts(64 * 255 * 127)), true);
    assert.equal(await multipliesIntegersExactly(runtimeWithProducts(32 * 32_767)), false);
  });
});

/** The real runtime, except that every product it returns is `value`, to simulate another CPU. */
function runtimeWithProducts(value: number) {
  const create = async (model: Uint8Array) => {
    const session = await InferenceSession.create(model);
    session.run = async () => ({ product: new Tensor("int32", new Int32Array(256).fill(value), [16, 16]) });
    return session;
  };
  return { InferenceSession: { create } as typeof InferenceSession, Tensor };
}
