/** `kcs-server models bench`: measures each model in a process of its own, and prints a table or JSON. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { availableParallelism, cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { describeModel, type ModelDescription } from "./adapters/models/local/describe-model.ts";
import { identifyModel } from "./adapters/models/local/identify-model.ts";
import { ModelFault } from "./adapters/models/local/model-fault.ts";
import { listModels } from "./adapters/models/local/models-folder.ts";
import { MINILM_MODEL } from "./adapters/models/minilm-embedder.ts";
import type { Device } from "./adapters/models/runtime/onnx-session.ts";
import type { MeasuredModel, MeasureLimits, Measurement } from "./measure-model.ts";
import type { MeasureReply, MeasureRequest } from "./measure-model-process.ts";

export interface BenchOptions {
  readonly modelsDir: string;
  /** Where the bundled model's file is kept. */
  readonly bundledDir: string;
  /** null = the bundled model and all of the folder. */
  readonly name: string | null;
  readonly device: Device;
  readonly limits: MeasureLimits;
  readonly onModel: (model: string) => void;
}

export type BenchRow = { readonly model: string; readonly task: ModelDescription["task"] | null } & (
  | Measurement
  | { readonly fault: string }
);

export const DEFAULT_LIMITS: MeasureLimits = { chunks: 1_000, seconds: 30 };

const PROCESS = fileURLToPath(new URL("./measure-model-process.ts", import.meta.url));
/** In addition to the time of the measurement: a model of many gigabytes on a slow disk. */
const LOAD_LIMIT_MS = 10 * 60_000;

/** One after the other, so that none takes processor time from another. */
export async function benchModels(options: BenchOptions): Promise<readonly BenchRow[]> {
  const { modelsDir, name, onModel } = options;
  const names = name === null ? [...new Set([MINILM_MODEL, ...(await listModels(modelsDir))])] : [name];
  const rows: BenchRow[] = [];
  for (const model of names) {
    onModel(model);
    rows.push(await benchModel(model, options));
  }
  return rows;
}

async function benchModel(
  model: string,
  { modelsDir, bundledDir, device, limits }: BenchOptions,
): Promise<BenchRow> {
  if (model === MINILM_MODEL) {
    const measured: MeasuredModel = { kind: "bundled", cacheDir: bundledDir };
    return { model, task: "embedding", ...(await measureInProcess({ measured, limits })) };
  }
  try {
    const described = await describeModel(modelsDir, model);
    const measured: MeasuredModel = { kind: "local", model: await identifyModel(described, device) };
    return { model, task: described.task, ...(await measureInProcess({ measured, limits })) };
  } catch (error) {
    if (error instanceof ModelFault) return { model, task: null, fault: error.message };
    throw error;
  }
}

async function measureInProcess(request: MeasureRequest): Promise<Measurement | { readonly fault: string }> {
  const child = fork(PROCESS, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const limitMs = LOAD_LIMIT_MS + request.limits.seconds * 1_000;
  const timer = setTimeout(() => child.kill("SIGKILL"), limitMs);
  let reply: MeasureReply | null = null;
  child.once("message", (message) => {
    reply = message as MeasureReply; // What the process sends.
  });
  child.send(request);
  const [code, signal] = await once(child, "close");
  clearTimeout(timer);
  // The assignment in the listener is unknown to the compiler.
  const received = reply as MeasureReply | null;
  if (received === null) return { fault: `the process ended with ${signal ?? code}: memory may be short` };
  return "fault" in received ? received : received.measurement;
}

/** A table for people. */
export function presentTable(rows: readonly BenchRow[]): string {
  const heading = ["model", "task", "loads in", "memory", "chunks/s, 1 thread", "chunks measured"];
  const measured = rows.flatMap((row) => ("fault" in row ? [] : [cellsOf(row)]));
  const lines = [heading, ...measured];
  const widths = heading.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  const table = lines.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const faults = rows.flatMap((row) =>
    "fault" in row ? [`${row.model} was not measured: ${row.fault}`] : [],
  );
  return [...(measured.length === 0 ? [] : [machine(), ...table]), ...faults, ""].join("\n");
}

function cellsOf({ model, task, ...row }: BenchRow & Measurement): readonly string[] {
  return [
    model === MINILM_MODEL ? `${model} (bundled)` : model,
    task ?? "",
    `${row.loadSeconds.toFixed(2)} s`,
    `${Math.ceil(row.memoryBytes / 1e6)} MB`,
    row.chunksPerSecond < 10 ? row.chunksPerSecond.toFixed(2) : row.chunksPerSecond.toFixed(0),
    String(row.chunks),
  ];
}

function machine(): string {
  const [first] = cpus();
  return `${first?.model.trim() || process.arch}, ${availableParallelism()} cores, Node ${process.versions.node}`;
}
