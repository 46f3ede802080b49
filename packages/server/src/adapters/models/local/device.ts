/** Whether the device that the operator chose for local models is there. */
import { encodeOnnxModel } from "@kcs/minilm";
import { type Device, loadRuntime } from "../runtime/onnx-session.ts";
import { ModelFault } from "./model-fault.ts";

type Runtime = Awaited<ReturnType<typeof loadRuntime>>;

const NEEDS: Readonly<Record<Device, string>> = {
  cpu: "",
  cuda:
    "It needs Linux on x64, a driver of NVIDIA, CUDA 12 with cuDNN 9, and a library that npm install leaves out: " +
    "npm rebuild onnxruntime-node --ignore-scripts=false downloads it. ",
  coreml: "It needs macOS. ",
};
const ADVICE = "With KCS_MODELS_DEVICE=cpu, or without the setting, the processor computes.";

/**
 * Computes a sum on the device. The CPU is always there, and the native library is not loaded for it.
 * @throws ModelFault that says what the device needs
 */
export async function requireDevice(
  device: Device,
  load: () => Promise<Runtime> = loadRuntime,
): Promise<void> {
  if (device === "cpu") return;
  const runtime = await load();
  const known = runtime.listSupportedBackends().map(({ name }) => name);
  if (!known.includes(device))
    throw refusal(device, `onnxruntime-node has none for ${process.platform} ${process.arch}`);
  const sum = await addOn(device, runtime).catch((cause: unknown) => {
    throw refusal(device, cause instanceof Error ? cause.message : String(cause), cause);
  });
  if (sum !== 3) throw refusal(device, `it computes 1 + 2 as ${sum}`);
}

function refusal(device: Device, reason: string, cause?: unknown): ModelFault {
  return new ModelFault(`The device ${device} cannot be used: ${reason}. ${NEEDS[device]}${ADVICE}`, {
    cause,
  });
}

async function addOn(device: Device, { InferenceSession, Tensor }: Runtime): Promise<unknown> {
  const model = encodeOnnxModel({
    name: "device-probe",
    nodes: [{ operator: "Add", inputs: ["input", "two"], outputs: ["sum"] }],
    constants: new Map([["two", { shape: [1], values: Float32Array.of(2) }]]),
    inputs: [{ name: "input", type: "float32", shape: ["count"] }],
    outputs: [{ name: "sum", type: "float32", shape: ["count"] }],
  });
  const session = await InferenceSession.create(Buffer.concat(model), { executionProviders: [device] });
  try {
    const { sum } = await session.run({ input: new Tensor("float32", Float32Array.of(1), [1]) });
    return sum?.data[0];
  } finally {
    await session.release();
  }
}
