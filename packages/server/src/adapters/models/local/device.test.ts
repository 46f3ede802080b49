/** No machine of ours has another device than the CPU, so the runtime is made to behave as on one. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { InferenceSession } from "onnxruntime-node";
import { loadRuntime } from "../runtime/onnx-session.ts";
import { requireDevice } from "./device.ts";

const REAL = await loadRuntime();

/** The real runtime, which computes what a device is asked for on the CPU, or fails as it is told. */
function runtimeWith(options: { readonly failure?: string; readonly sum?: number } = {}) {
  const asked: unknown[] = [];
  const create = async (model: Uint8Array, { executionProviders }: InferenceSession.SessionOptions) => {
    asked.push(executionProviders);
    if (options.failure !== undefined) throw new Error(options.failure);
    const session = await REAL.InferenceSession.create(model);
    const { sum } = options;
    if (sum !== undefined)
      session.run = async () => ({ sum: new REAL.Tensor("float32", Float32Array.of(sum), [1]) });
    return session;
  };
  const runtime = {
    Tensor: REAL.Tensor,
    InferenceSession: { create } as unknown as typeof InferenceSession, // The part that is used.
    listSupportedBackends: () => [{ name: "cuda", bundled: false }],
  };
  return { asked, load: async () => runtime };
}

describe("a device", () => {
  test("that is there computes a sum", async () => {
    const { asked, load } = runtimeWith();
    await requireDevice("cuda", load);
    assert.deepEqual(asked, [["cuda"]]);
  });

  test("that the platform does not have is refused without an attempt", async () => {
    const { asked, load } = runtimeWith();
    await assert.rejects(requireDevice("coreml", load), {
      name: "ModelFault",
      message: /^The device coreml cannot be used: onnxruntime-node has none for .* It needs macOS\. .*=cpu/,
    });
    assert.deepEqual(asked, []);
  });

  test("that cannot be opened or computes wrongly is refused with what it needs", async () => {
    const { load } = runtimeWith({ failure: "Failed to load shared library" });
    await assert.rejects(requireDevice("cuda", load), {
      name: "ModelFault",
      message: /Failed to load shared library\. .*CUDA 12 .*npm rebuild onnxruntime-node.*=cpu/,
    });
    await assert.rejects(requireDevice("cuda", runtimeWith({ sum: 4 }).load), /it computes 1 \+ 2 as 4\./);
  });

  test("is not looked for where the CPU computes", async () => {
    await requireDevice("cpu", () => Promise.reject(new Error("loaded")));
  });
});
