/** Removes packages and parts of packages in such a way that a later `npm install` restores them. */
import { readdir, readFile, readlink, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Removal } from "./removal-plan.ts";

export async function remove(root: string, removals: readonly Removal[]): Promise<void> {
  if (removals.length === 0) return;
  // Before the rest, so that npm reads the manifests in node_modules even after an interrupted run.
  await rm(join(root, "node_modules/.package-lock.json"), { force: true });
  for (const partOf of new Set(removals.map((removal) => removal.partOf))) {
    if (partOf !== null) await markIncomplete(join(root, partOf));
  }
  for (const { path } of removals) {
    await rm(join(root, path), { recursive: true, force: true });
    await removeEmptyFolder(dirname(join(root, path)));
  }
  const folders = removals.map(({ path }) => /^(.*?node_modules)\//.exec(path)?.[1] ?? "node_modules");
  for (const folder of new Set(folders)) await removeDeadCommands(join(root, folder, ".bin"));
}

/**
 * npm compares versions, not files: a package whose version is not the lock file's is installed again. The manifest is
 * replaced, not written to, because package stores share files between installations by hard links.
 */
async function markIncomplete(folder: string): Promise<void> {
  const path = join(folder, "package.json");
  const manifest = JSON.parse(await readFile(path, "utf8")) as { readonly version: string }; // A package's.
  if (manifest.version.endsWith("-pruned")) return;
  const marked = { ...manifest, version: `${manifest.version}-pruned` };
  await writeFile(`${path}.new`, `${JSON.stringify(marked, null, 2)}\n`);
  await rename(`${path}.new`, path);
}

/** Removes a scope or platform folder when it is empty. */
async function removeEmptyFolder(folder: string): Promise<void> {
  if (/(^|[\\/])node_modules$/.test(folder)) return;
  await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (!["ENOTEMPTY", "EEXIST", "ENOENT"].includes(error.code ?? "")) throw error;
  });
}

/** Removes links to commands of removed packages. */
async function removeDeadCommands(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    const isLink = await readlink(path).then(
      () => true,
      () => false,
    );
    const isDead = isLink && (await stat(path).catch(() => null)) === null;
    if (isDead) await rm(path);
  }
}
