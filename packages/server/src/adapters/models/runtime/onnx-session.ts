/** A model of ONNX Runtime: its native library, loaded at the first model, and one session with its runs. */
import { ModelUnavailableError } from "@kcs/minilm";
import type { InferenceSession, Tensor } from "onnxruntime-node";
import { multipliesIntegersExactly, type OnnxRuntime } from "./integer-kernels.ts";
import { requireSilentRuntime } from "./silence-runtime.ts";

export interface OnnxInput {
  readonly type: "int32" | "int64" | "bool" | "float32";
  readonly values: readonly number[] | Int32Array | Float32Array;
  /** Default: of one text, [1, length]. */
  readonly shape?: readonly number[];
}

/** An input or an output of a graph. */
export interface GraphValue {
  readonly name: string;
  /** Of its elements, such as "float32"; "" for what is no tensor. */
  readonly type: string;
  /** null for a size that depends on the text; null in place of the list where the file does not tell. */
  readonly dims: readonly (number | null)[] | null;
}

export interface GraphShape {
  readonly inputs: readonly GraphValue[];
  readonly outputs: readonly GraphValue[];
}

export type OnnxOutputs = Readonly<Record<string, Tensor>>;

export interface OnnxSession {
  readonly graph: GraphShape;
  /** Computes on the calling thread, so call it from a worker thread. */
  run(inputs: Readonly<Record<string, OnnxInput>>, outputs: readonly string[]): Promise<OnnxOutputs>;
  /** Waits for the running texts and frees the model. A run afterwards is an error. */
  close(): Promise<void>;
}

/** What computes a model: the processor, a graphics card of NVIDIA, or what macOS chooses. */
export const DEVICES = ["cpu", "cuda", "coreml"] as const;
export type Device = (typeof DEVICES)[number];

export type AroundRun = <T>(run: () => Promise<T>) => Promise<T>;

/**
 * One thread, one run at a time. Products of uint8 and int8 are exact on every CPU (see `integer-kernels.ts`). Another device
 * than the CPU must be there; operators that it does not have are computed on the CPU.
 * @throws ModelUnavailableError when the native runtime of this platform is missing; the runtime's error for the file
 */
export async function openOnnxSession(
  path: string,
  options: {
    /** For the errors. */
    readonly name: string;
    /** Wraps each call of the native runtime, except those that load the model. */
    readonly aroundRun?: AroundRun | undefined;
    readonly device?: Device;
    /** The weights are in a file of their own, of which the sessions of all threads use the same pages. */
    readonly isMapped?: boolean;
  },
): Promise<OnnxSession> {
  const { name, aroundRun = (run) => run(), device = "cpu", isMapped = false } = options;
  const runtime = await loadRuntime();
  const isExact = await multipliesIntegersExactly(runtime);
  const session = await runtime.InferenceSession.create(path, sessionOptions({ isExact, device, isMapped }));
  const running = new Set<Promise<unknown>>();
  let closed = false;

  function toTensor({ type, values, shape = [1, values.length] }: OnnxInput): Tensor {
    if (type === "int32") return new runtime.Tensor(type, Int32Array.from(values), shape);
    if (type === "bool") return new runtime.Tensor(type, Uint8Array.from(values), shape);
    if (type === "float32") return new runtime.Tensor(type, Float32Array.from(values), shape);
    return new runtime.Tensor(type, BigInt64Array.from(values, BigInt), shape);
  }

  return {
    graph: { inputs: session.inputMetadata.map(toValue), outputs: session.outputMetadata.map(toValue) },
    async run(inputs, outputs) {
      if (closed) throw new Error(`${name} is closed`);
      const feeds = Object.fromEntries(
        Object.entries(inputs).map(([input, value]) => [input, toTensor(value)]),
      );
      const result = aroundRun(() => session.run(feeds, outputs)) as Promise<OnnxOutputs>; // All are tensors.
      running.add(result);
      try {
        return await result;
      } finally {
        running.delete(result);
      }
    },
    async close() {
      if (closed) return;
      closed = true;
      await Promise.allSettled(running);
      await session.release();
    },
  };
}

function toValue(value: InferenceSession.ValueMetadata): GraphValue {
  const { name } = value;
  if (!value.isTensor) return { name, type: "", dims: null };
  const dims = value.shape.map((size) => (typeof size === "number" && size > 0 ? size : null));
  // The runtime has an empty list for an unknown shape, too. No graph of a model has a single number.
  return { name, type: value.type, dims: dims.length === 0 ? null : dims };
}

/** The numbers of an output, also of one in half precision. */
export function floatsOf(outputs: OnnxOutputs, name: string): Float32Array {
  const data = outputs[name]?.data;
  if (data instanceof Float32Array) return data;
  // Node has Float16Array from version 24 on; ONNX Runtime uses it where it exists, and Uint16Array elsewhere.
  if (data instanceof Float16Array) return Float32Array.from(data);
  if (data instanceof Uint16Array)
    return Float32Array.from(new Float16Array(data.buffer, data.byteOffset, data.length));
  throw new Error(`The model's output ${name} has no floats`);
}

/** A dynamic import, so that threads that only count tokens do not load the native library. */
export async function loadRuntime(): Promise<OnnxRuntime> {
  requireSilentRuntime();
  try {
    return await import("onnxruntime-node");
  } catch (cause) {
    throw new ModelUnavailableError(
      `onnxruntime-node has no usable binary for ${process.platform} ${process.arch}. ` +
        "Reinstall the dependencies on this machine, or configure another embedding provider.",
      { cause },
    );
  }
}

function sessionOptions(given: {
  readonly isExact: boolean;
  readonly device: Device;
  readonly isMapped: boolean;
}): InferenceSession.SessionOptions {
  const { isExact, device, isMapped } = given;
  return {
    executionProviders: [device],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: "sequential",
    // The runtime would keep a memory pattern for every text length.
    enableMemPattern: false,
    logSeverityLevel: 3,
    extra: {
      // The fused operator is slower than the two operators that it replaces; see `addNormalizedSum` in `@kcs/minilm`.
      optimization: { disable_specified_optimizers: "SkipLayerNormFusion" },
      session: {
        ...(isExact ? {} : { x64quantprecision: "1" }),
        // Packed weights are faster, but a copy in each session.
        ...(isMapped ? { disable_prepacking: "1" } : {}),
      },
    },
  };
}
