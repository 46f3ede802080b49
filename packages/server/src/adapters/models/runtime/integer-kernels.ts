/**
 * Tests whether this CPU multiplies integers exactly.
 *
 * Without the VNNI instructions, ONNX Runtime multiplies uint8 by int8 on x86 with VPMADDUBSW, which adds two
 * products in 16 bits and saturates; the cosine of this model's vectors to the exact ones then drops to 0.98
 * (https://onnxruntime.ai/docs/performance/model-optimizations/quantization.html). uint8 by uint8 is always exact, but
 * 1.7 times slower on CPUs with VNNI. There is no portable list of CPU features, so the test computes a product that
 * saturates without VNNI.
 */
import { encodeOnnxModel } from "@kcs/minilm";
import type { InferenceSession, listSupportedBackends, Tensor } from "onnxruntime-node";

export interface OnnxRuntime {
  readonly InferenceSession: typeof InferenceSession;
  readonly Tensor: typeof Tensor;
  readonly listSupportedBackends: typeof listSupportedBackends;
}

const rows = 16;
const depth = 64;
const columns = 16;
const largest = { left: 255, right: 127 } as const;

/** Computes a product of the largest factors, which takes a few milliseconds. */
export async function multipliesIntegersExactly(
  runtime: Pick<OnnxRuntime, "InferenceSession" | "Tensor">,
): Promise<boolean> {
  const session = await runtime.InferenceSession.create(encodeProbe(), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
  });
  try {
    const left = new runtime.Tensor("uint8", new Uint8Array(rows * depth).fill(largest.left), [rows, depth]);
    const { product } = await session.run({ left });
    const values = product?.data;
    if (!(values instanceof Int32Array)) throw new Error("The integer probe did not return integers");
    return values.every((value) => value === depth * largest.left * largest.right);
  } finally {
    await session.release();
  }
}

function encodeProbe(): Uint8Array {
  const chunks = encodeOnnxModel({
    name: "integer-probe",
    nodes: [{ operator: "MatMulInteger", inputs: ["left", "right"], outputs: ["product"] }],
    constants: new Map([
      ["right", { shape: [depth, columns], values: new Int8Array(depth * columns).fill(largest.right) }],
    ]),
    inputs: [{ name: "left", type: "uint8", shape: [rows, depth] }],
    outputs: [{ name: "product", type: "int32", shape: [rows, columns] }],
  });
  return Buffer.concat(chunks);
}
