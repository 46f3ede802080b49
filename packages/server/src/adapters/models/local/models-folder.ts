/** The folder of local models: one folder for each, `OWNER/NAME` as on a hub, or `NAME`. */
import { lstat, mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isMissing, MANIFEST, readManifest, sha256OfFile } from "./manifest.ts";
import { ModelFault } from "./model-fault.ts";
import { ID_PART, isModelId } from "./model-id.ts";

const PATH_PART = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;
const MAX_MODELS = 1_000;

/** The path of a file that a model's own files or a hub name. @throws ModelFault for one that could leave the folder */
export function requireInnerPath(path: string): string {
  const parts = path.split("/");
  if (parts.length <= 4 && parts.every((part) => PATH_PART.test(part))) return path;
  throw new ModelFault(
    `The model names a file outside of its folder or with an odd name: ${JSON.stringify(path)}.`,
  );
}

/** @throws ModelFault for an id that is not one */
export function folderOf(modelsDir: string, id: string): string {
  if (isModelId(id)) return join(modelsDir, ...id.split("/"));
  throw new ModelFault(`${JSON.stringify(id)} is not the name of a model: expected OWNER/NAME or NAME.`);
}

/** Makes the folder where it is missing. @throws ModelFault */
export async function makeModelsDir(modelsDir: string): Promise<void> {
  await requireFolder(modelsDir);
  await mkdir(modelsDir, { recursive: true, mode: 0o700 }).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new ModelFault(
      `The models folder ${modelsDir} cannot be made: ${reason}. Name one that can be written as KCS_MODELS_DIR.`,
      { cause },
    );
  });
}

/** @throws ModelFault where something else has the folder's name */
async function requireFolder(modelsDir: string): Promise<void> {
  const isFolder = await stat(modelsDir).then(
    (entry) => entry.isDirectory(),
    () => true, // What is missing can be made; what cannot be read fails when it is.
  );
  if (!isFolder) throw new ModelFault(`${modelsDir} is not a folder. Name one as KCS_MODELS_DIR.`);
}

/** Ids of the models in the folder, in alphabetical order. @throws ModelFault */
export async function listModels(modelsDir: string): Promise<readonly string[]> {
  await requireFolder(modelsDir);
  const found: string[] = [];
  for (const name of await foldersIn(modelsDir)) {
    if (await isModelFolder(join(modelsDir, name))) found.push(name);
    else {
      for (const inner of await foldersIn(join(modelsDir, name)))
        if (await isModelFolder(join(modelsDir, name, inner))) found.push(`${name}/${inner}`);
    }
  }
  return found.toSorted().slice(0, MAX_MODELS);
}

async function foldersIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  return names.filter((name) => ID_PART.test(name));
}

/** The files of which a model's folder has one. */
export const CONFIG_FILES = ["config.json", "gliner_config.json"];

export async function isModelFolder(folder: string): Promise<boolean> {
  for (const name of CONFIG_FILES) {
    const isFile = await stat(join(folder, name)).then(
      (entry) => entry.isFile(),
      () => false,
    );
    if (isFile) return true;
  }
  return false;
}

/** The full path. @throws ModelFault where it is not a file */
export async function requireFile(folder: string, path: string): Promise<string> {
  const full = join(folder, path);
  const isFile = await stat(full).then(
    (entry) => entry.isFile(),
    () => false,
  );
  if (isFile) return full;
  throw new ModelFault(`${full} is missing. Add the model again, or copy the file.`);
}

export interface FileCheck {
  readonly path: string;
  /** "unrecorded": the manifest has no hash of it. */
  readonly state: "intact" | "missing" | "damaged" | "unrecorded";
}

/** Compares each file with the hash that was recorded when the model was added. */
export async function verifyModel(folder: string): Promise<readonly FileCheck[]> {
  const recorded = (await readManifest(folder)).files ?? {};
  const checks: FileCheck[] = [];
  for (const [path, expected] of Object.entries(recorded)) {
    const full = join(folder, requireInnerPath(path));
    const bytes = await stat(full).then(
      ({ size }) => size,
      () => null,
    );
    if (bytes === null) checks.push({ path, state: "missing" });
    else if (bytes !== expected.bytes) checks.push({ path, state: "damaged" });
    else checks.push({ path, state: (await sha256OfFile(full)) === expected.sha256 ? "intact" : "damaged" });
  }
  const others = await filesIn(folder);
  for (const path of others)
    if (path !== MANIFEST && recorded[path] === undefined) checks.push({ path, state: "unrecorded" });
  return checks;
}

/** Paths of the files at and below a folder, in alphabetical order. Links are followed: a hub's own cache consists of links. */
export async function filesIn(folder: string, prefix = ""): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of (await readdir(join(folder, prefix))).toSorted()) {
    const path = prefix === "" ? name : `${prefix}/${name}`;
    if (!PATH_PART.test(name) || path.split("/").length > 4) continue;
    const entry = await stat(join(folder, path));
    if (entry.isDirectory()) found.push(...(await filesIn(folder, path)));
    else if (entry.isFile()) found.push(path);
  }
  return found;
}

/** Removes the model's folder, or the link to it. @throws ModelFault where there is none */
export async function removeModel(modelsDir: string, id: string): Promise<void> {
  const folder = folderOf(modelsDir, id);
  if (!(await isModelFolder(folder))) throw new ModelFault(`There is no model ${id} in ${modelsDir}.`);
  if ((await lstat(folder)).isSymbolicLink()) await rm(folder);
  else await rm(folder, { recursive: true });
}
