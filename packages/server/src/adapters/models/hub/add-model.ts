/** Adds a model to the models folder: from a hub, or from a folder on this machine. A model is there completely or not at all. */
import { cp, mkdir, rename, rm, stat, statfs, writeFile } from "node:fs/promises";
import { basename, dirname, join, posix } from "node:path";
import { z } from "zod";
import { findInCatalogue } from "../local/catalogue.ts";
import {
  describeFolder,
  graphsOf,
  isWeightFile,
  type ModelDescription,
  weightFiles,
} from "../local/describe-model.ts";
import {
  GLINER_CONFIG,
  LABELS_GRAPH,
  LABELS_TOKENIZER,
  RELATIONS_GRAPH,
} from "../local/gliner/describe-gliner.ts";
import {
  MANIFEST,
  type ModelHints,
  type ModelManifest,
  readManifest,
  sha256OfFile,
} from "../local/manifest.ts";
import { ModelFault } from "../local/model-fault.ts";
import { isModelId } from "../local/model-id.ts";
import {
  CONFIG_FILES,
  filesIn,
  folderOf,
  isModelFolder,
  makeModelsDir,
  requireInnerPath,
} from "../local/models-folder.ts";
import { moveWeights } from "../local/move-weights.ts";
import { requireGraphs } from "../local/require-graphs.ts";
import { downloadFile, type HubFile } from "./download-file.ts";
import type { HubClient } from "./hub-client.ts";
import { whileLocked } from "./while-locked.ts";

/** Unfinished downloads and copies. Its name is no id of a model. */
const UNFINISHED = ".unfinished";
const MAX_MODEL_BYTES = 32 * 1024 ** 3;
/** Left free on the disk. */
const SPARE_BYTES = 256 * 1024 ** 2;
const SMALL_FILES = [
  "config.json",
  "tokenizer.json",
  "tokenizer_config.json",
  "modules.json",
  "sentence_bert_config.json",
  "config_sentence_transformers.json",
  GLINER_CONFIG,
  LABELS_TOKENIZER,
];

export interface AddOptions {
  readonly modelsDir: string;
  readonly hints: ModelHints;
  /** Of the hub: a branch, a tag or a commit. */
  readonly revision: string;
  /** Whether the weights are moved into a file that all threads map. */
  readonly isMapped?: boolean;
  readonly onProgress: (progress: {
    readonly path: string;
    readonly bytes: number;
    readonly of: number;
  }) => void;
  readonly freeBytes?: (folder: string) => Promise<number>;
}

type RecordedFiles = NonNullable<ModelManifest["files"]>;

const listingSchema = z.looseObject({
  sha: z.string().regex(/^[0-9a-f]{40}$/),
  siblings: z.array(
    z.looseObject({
      rfilename: z.string(),
      size: z.int().min(0).nullish(),
      blobId: z.string().nullish(),
      lfs: z.looseObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }).nullish(),
    }),
  ),
});
type Sibling = z.output<typeof listingSchema>["siblings"][number];

/** A folder on this machine, or the name of a repository of the hub. @throws ModelFault */
export async function addModel(
  source: string,
  options: AddOptions,
  client: HubClient,
): Promise<ModelDescription> {
  const isFolder = await isModelFolder(source);
  if (!isFolder && (/^[./~\\]/.test(source) || !isModelId(source)))
    throw new ModelFault(`${source} is neither a folder with a config.json nor OWNER/NAME of a hub.`);
  const { modelsDir } = options;
  const id = isFolder ? basename(source.replace(/\/{1,64}$/, "")) : source;
  await requireAbsent(modelsDir, id);
  for (const folder of [modelsDir, join(modelsDir, UNFINISHED)]) await makeModelsDir(folder);
  return whileLocked(join(modelsDir, UNFINISHED, `${id.replace("/", "--")}.lock`), id, async () => {
    await requireAbsent(modelsDir, id);
    return isFolder ? addFolder(source, id, options) : addFromHub(id, options, client);
  });
}

async function addFolder(source: string, id: string, options: AddOptions): Promise<ModelDescription> {
  requireGraphs(await describeFolder(source, id));
  const paths = (await filesIn(source)).filter((path) => path !== MANIFEST);
  const sizes = await Promise.all(paths.map(async (path) => (await stat(join(source, path))).size));
  const total = sum(sizes);
  await requireSpace(options, total);
  const unfinished = join(options.modelsDir, UNFINISHED, id);
  await rm(unfinished, { recursive: true, force: true });
  const files: RecordedFiles = {};
  let done = 0;
  for (const [at, path] of paths.entries()) {
    const target = join(unfinished, path);
    await mkdir(dirname(target), { recursive: true });
    await cp(join(source, path), target, { dereference: true });
    files[path] = { bytes: sizes[at] ?? 0, sha256: await sha256OfFile(target) };
    done += sizes[at] ?? 0;
    options.onProgress({ path, bytes: done, of: total });
  }
  const manifest = { ...(await readManifest(source)), ...options.hints, source, files };
  return finish(id, { unfinished, manifest, options });
}

async function addFromHub(id: string, options: AddOptions, client: HubClient): Promise<ModelDescription> {
  const { sha, siblings } = await readListing(client, { id, revision: options.revision });
  const hints = { ...findInCatalogue(id)?.hints, ...options.hints };
  const { weights, chosen } = chooseFiles(siblings, { id, hints });
  const total = sum(chosen.map(({ bytes }) => bytes));
  const unfinished = join(options.modelsDir, UNFINISHED, `${id.replace("/", "--")}--${sha}`);
  const there = await bytesIn(unfinished);
  await requireSpace(options, total - Math.min(there, total));
  const files: RecordedFiles = {};
  let done = 0;
  for (const file of chosen) {
    const { path, bytes } = file;
    const url = `/${id}/resolve/${sha}/${path}`;
    const target = join(unfinished, path);
    const sha256 = await downloadFile(client, { file, url, target }, (bytes) =>
      options.onProgress({ path, bytes: done + bytes, of: total }),
    );
    files[path] = { bytes, sha256 };
    done += bytes;
  }
  const manifest = { ...hints, weights, source: id, revision: sha, files };
  return finish(id, { unfinished, manifest, options });
}

async function readListing(client: HubClient, { id, revision }: { id: string; revision: string }) {
  const path = `/api/models/${id}/revision/${encodeURIComponent(revision)}?blobs=true`;
  const parsed = listingSchema.safeParse(await client.json(path));
  if (parsed.success) return parsed.data;
  throw new ModelFault(
    `The hub's list of files of ${id} is not as expected: ${z.prettifyError(parsed.error)}`,
  );
}

/** The files that describe the model, its tokenizer and one ONNX file with its data. */
function chooseFiles(siblings: readonly Sibling[], { id, hints }: { id: string; hints: ModelHints }) {
  const names = siblings.map(({ rfilename }) => rfilename);
  const onnx = names.filter((name) => name.endsWith(".onnx"));
  const usual = ["onnx/model.onnx", "model.onnx"].find((name) => onnx.includes(name));
  const weights = hints.weights ?? usual ?? (onnx.length === 1 ? onnx[0] : undefined);
  if (weights === undefined || !onnx.includes(weights)) {
    const advice =
      onnx.length > 0 ? `choose one with --file: ${onnx.slice(0, 20).join(", ")}` : "it has none";
    throw new ModelFault(`${id} has no ONNX file ${weights ?? "onnx/model.onnx"}; ${advice}.`);
  }
  const beside = [LABELS_GRAPH, RELATIONS_GRAPH].map((name) => posix.join(posix.dirname(weights), name));
  const isWanted = (name: string) =>
    SMALL_FILES.includes(name) ||
    /^\d_Pooling\/config\.json$/.test(name) ||
    [weights, ...beside].some((graph) => isWeightFile(name, graph));
  const chosen = siblings.filter(({ rfilename }) => isWanted(rfilename)).map(toHubFile);
  for (const needed of [CONFIG_FILES, ["tokenizer.json"]])
    if (!needed.some((name) => names.includes(name)))
      throw new ModelFault(`${id} has no ${needed[0]}, so it cannot be used.`);
  const total = sum(chosen.map(({ bytes }) => bytes));
  if (total > MAX_MODEL_BYTES)
    throw new ModelFault(`${id} has ${gigabytes(total)}; at most ${gigabytes(MAX_MODEL_BYTES)} are allowed.`);
  return { weights, chosen };
}

function toHubFile({ rfilename, size, lfs, blobId }: Sibling): HubFile {
  const path = requireInnerPath(rfilename);
  const hash: HubFile["hash"] | null = lfs
    ? { algorithm: "sha256", hex: lfs.sha256 }
    : /^[0-9a-f]{40}$/.test(blobId ?? "")
      ? { algorithm: "git", hex: blobId ?? "" }
      : null;
  if (hash !== null && typeof size === "number") return { path, bytes: size, hash };
  throw new ModelFault(`The hub does not list the length and the hash of ${path}, so it was not downloaded.`);
}

/** Describes the model first: what cannot be used is not added. Then one rename makes it visible. */
async function finish(
  id: string,
  place: { readonly unfinished: string; readonly manifest: ModelManifest; readonly options: AddOptions },
): Promise<ModelDescription> {
  const { manifest, options } = place;
  const { modelsDir, isMapped = false } = options;
  await writeManifest(place.unfinished, manifest);
  let { unfinished } = place;
  let described = await describeFolder(unfinished, id);
  requireGraphs(described);
  if (isMapped && !described.isMapped) {
    await requireSpace(options, described.weightBytes);
    unfinished = await mapWeights(described, manifest);
    described = await describeFolder(unfinished, id);
  }
  const folder = folderOf(modelsDir, id);
  await mkdir(dirname(folder), { recursive: true });
  await rename(unfinished, folder);
  return { ...described, folder };
}

/** Returns the folder with the result. An interrupted download is continued elsewhere, so its files must not change. */
async function mapWeights(described: ModelDescription, manifest: ModelManifest): Promise<string> {
  const { folder, weights } = described;
  const mapped = `${folder}--mapped`;
  await rm(mapped, { recursive: true, force: true });
  await rename(folder, mapped);
  let moved = 0;
  const files: RecordedFiles = { ...manifest.files };
  for (const graph of graphsOf(described)) {
    // One whose weights are elsewhere stays as it is.
    if ((await weightFiles(mapped, graph)).length === 1) moved += await moveWeights(join(mapped, graph));
    for (const path of await weightFiles(mapped, graph)) {
      const full = join(mapped, path);
      files[path] = { bytes: (await stat(full)).size, sha256: await sha256OfFile(full) };
    }
  }
  if (moved === 0)
    throw new ModelFault(
      `${weights} has no tensors that are worth being mapped. Add the model without --map.`,
    );
  await writeManifest(mapped, { ...manifest, files });
  return mapped;
}

async function writeManifest(folder: string, manifest: ModelManifest): Promise<void> {
  await writeFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`, { flush: true });
}

async function requireAbsent(modelsDir: string, id: string): Promise<void> {
  if (await isModelFolder(folderOf(modelsDir, id)))
    throw new ModelFault(
      `${id} is in ${modelsDir} already. To replace it, remove it first: kcs-server models remove ${id}.`,
    );
}

async function requireSpace(
  { modelsDir, freeBytes = freeOnDisk }: AddOptions,
  needed: number,
): Promise<void> {
  const free = await freeBytes(modelsDir);
  if (needed + SPARE_BYTES <= free) return;
  throw new ModelFault(
    `The disk of ${modelsDir} has ${gigabytes(free)} free; the model needs ${gigabytes(needed)} and ${gigabytes(SPARE_BYTES)} must stay free.`,
  );
}

async function freeOnDisk(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

async function bytesIn(folder: string): Promise<number> {
  const paths = await filesIn(folder).catch(() => []);
  return sum(await Promise.all(paths.map(async (path) => (await stat(join(folder, path))).size)));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(2)} GB`;
}
