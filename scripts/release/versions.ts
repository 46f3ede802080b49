/** Every place that states the version of this repository: workspaces, the lock file and constants in sources. */
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { publishedFolders } from "./pack.ts";

export interface FileEdit {
  /** Relative to the repository, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** Sources that state the version, and how. */
const constants: readonly (readonly [string, (version: string) => string])[] = [
  ["packages/contract/src/openapi/document.ts", (version) => `API_VERSION = "${version}"`],
  ["packages/contract/openapi.json", (version) => `"version": "${version}"`],
  ["packages/cli/src/run.ts", (version) => `CLI_VERSION = "${version}"`],
  ["packages/server/src/mcp/server.ts", (version) => `version: "${version}"`],
];

export async function readVersion(root: string): Promise<string> {
  return (await readManifest(root, "package.json")).version;
}

/**
 * The files with another version, without those that stay as they are.
 * @throws Error where a place does not state the version that the repository has
 */
export async function versionEdits(root: string, from: string, to: string): Promise<readonly FileEdit[]> {
  const workspaces = await workspacePaths(root);
  const edits: FileEdit[] = [];
  const folders = [...workspaces, ...publishedFolders].map((folder) => `${folder}/package.json`);
  for (const path of ["package.json", ...folders]) {
    const text = await readFile(join(root, path), "utf8");
    expectVersion(path, text, `"version": "${from}"`);
    const pins = new RegExp(`("(?:version|@kcs/[\\w-]+)": )"${RegExp.escape(from)}"`, "g");
    edits.push({ path, text: text.replace(pins, `$1"${to}"`) });
  }
  for (const [path, statement] of constants) {
    const text = await readFile(join(root, path), "utf8");
    expectVersion(path, text, statement(from));
    edits.push({ path, text: text.replace(statement(from), statement(to)) });
  }
  edits.push(await lockFileEdit(root, workspaces, to));
  return from === to ? [] : edits;
}

function expectVersion(path: string, text: string, statement: string): void {
  if (!text.includes(statement)) throw new Error(`${path} does not state ${statement}.`);
}

/** Folders of the workspaces, sorted. */
async function workspacePaths(root: string): Promise<readonly string[]> {
  const { workspaces } = await readManifest(root, "package.json");
  const patterns = workspaces.map((pattern) => `${pattern}/package.json`);
  const paths = await Array.fromAsync(glob(patterns, { cwd: root }));
  return paths.map((path) => path.replaceAll("\\", "/").replace(/\/package\.json$/, "")).sort();
}

async function lockFileEdit(root: string, workspaces: readonly string[], to: string): Promise<FileEdit> {
  const path = "package-lock.json";
  const lock = JSON.parse(await readFile(join(root, path), "utf8")) as LockFile; // npm's own file.
  lock.version = to;
  for (const folder of ["", ...workspaces]) {
    const entry = lock.packages[folder];
    if (entry === undefined)
      throw new Error(`${path} does not have the workspace ${folder}: run npm install.`);
    entry.version = to;
    for (const names of [entry.dependencies ?? {}, entry.devDependencies ?? {}]) {
      for (const name of Object.keys(names)) if (name.startsWith("@kcs/")) names[name] = to;
    }
  }
  return { path, text: `${JSON.stringify(lock, null, 2)}\n` };
}

interface LockFile {
  version: string;
  readonly packages: Record<
    string,
    { version?: string; dependencies?: Record<string, string>; devDependencies?: Record<string, string> }
  >;
}

async function readManifest(root: string, path: string) {
  const manifest = JSON.parse(await readFile(join(root, path), "utf8"));
  return manifest as { readonly version: string; readonly workspaces: readonly string[] }; // The repository's own.
}
