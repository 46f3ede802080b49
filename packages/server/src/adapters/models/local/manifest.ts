/** `kcs-model.json` in a model's folder: where the model came from, the hashes of its files, and what its files do not say. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { ModelFault } from "./model-fault.ts";

export const MANIFEST = "kcs-model.json";
/** Files other than weights are read into memory. */
const MAX_JSON_BYTES = 64 * 1024 * 1024;

/** What the files of some models do not say. It takes precedence over what they say. */
const modelHints = z.object({
  /** The ONNX file to use, where there are several. */
  weights: z.string().optional(),
  pooling: z.enum(["cls", "mean", "last"]).optional(),
  queryPrefix: z.string().max(2_000).optional(),
  passagePrefix: z.string().max(2_000).optional(),
  maxTokens: z.int().min(8).max(8_192).optional(),
  /** Of a reader: from which score on entities and relations are read. */
  threshold: z.number().gt(0).lt(1).optional(),
  relationThreshold: z.number().gt(0).lt(1).optional(),
  /** Of a reader: whether one name may lie within another. */
  nested: z.boolean().optional(),
  /** Of a reader's relations: what their scores are worth, as `models calibrate` fits it. */
  relationConfidence: z.object({ slope: z.number().min(0), offset: z.number() }).optional(),
});
export type ModelHints = z.output<typeof modelHints>;

const manifestSchema = modelHints.extend({
  source: z.string().optional(),
  /** The commit of the hub's repository. */
  revision: z.string().optional(),
  /** By path in the folder. Absent where the folder was copied by hand. */
  files: z
    .record(z.string(), z.object({ bytes: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/) }))
    .optional(),
});
export type ModelManifest = z.output<typeof manifestSchema>;

/** An empty manifest where the folder has none. @throws ModelFault */
export async function readManifest(folder: string): Promise<ModelManifest> {
  const value = await findJson(folder, MANIFEST);
  if (value === null) return {};
  const parsed = manifestSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ModelFault(`${join(folder, MANIFEST)} is not valid: ${z.prettifyError(parsed.error)}`);
}

/** Adds to the manifest or replaces what it says. It appears as a whole. */
export async function updateManifest(folder: string, hints: ModelHints): Promise<void> {
  const manifest: ModelManifest = { ...(await readManifest(folder)), ...hints };
  const place = join(folder, MANIFEST);
  await writeFile(`${place}.new`, `${JSON.stringify(manifest, null, 2)}\n`, { flush: true });
  await rename(`${place}.new`, place);
}

/** null where there is no such file. @throws ModelFault where it is not JSON */
export async function findJson(folder: string, path: string): Promise<unknown> {
  const full = join(folder, path);
  try {
    return JSON.parse(await readSmallFile(full));
  } catch (error) {
    if (isMissing(error)) return null;
    if (error instanceof ModelFault) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ModelFault(`${full} cannot be read: ${reason}`, { cause: error });
  }
}

/** A file that is not weights, as text. One that is too large is not read. @throws ModelFault */
export async function readSmallFile(path: string): Promise<string> {
  if ((await stat(path)).size > MAX_JSON_BYTES)
    throw new ModelFault(
      `${path} is too large for a JSON file: at most ${MAX_JSON_BYTES / 2 ** 20} MB are read.`,
    );
  return readFile(path, "utf8");
}

/** Reads the file in pieces, about 1 GB a second. */
export async function sha256OfFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(piece as Buffer);
  return hash.digest("hex");
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
