/** The packages that are published, as npm packs them. */
import { execFile } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

/** Folders by name. They are not workspaces: the repository itself runs from the sources. */
const folders = { "@kcs/sdk": "packages/sdk", "@kcs/cli": "packages/cli" } as const;

export const publishedPackages = Object.keys(folders);
export const publishedFolders = Object.values(folders);

/** The name that npm gives to a packed package. */
export function archiveName(name: string, version: string): string {
  return `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
}

/** Builds and packs into `folder`, which is emptied. Gives the archives' paths. */
export async function packAll(root: string, folder: string, version: string): Promise<readonly string[]> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const path of publishedFolders) {
    // Its script `prepack` builds the package.
    const args = ["pack", "--pack-destination", folder, "--ignore-scripts=false"];
    await promisify(execFile)("npm", args, { cwd: join(root, path), shell: process.platform === "win32" });
  }
  return publishedPackages.map((name) => join(folder, archiveName(name, version)));
}
