/** The packages that are published: built, and packed as npm uploads them. */
import { execFile } from "node:child_process";
import { copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export const publishedPackages = ["@kcs/sdk", "@kcs/cli"] as const;

/** The name that npm gives to a packed package. */
export function archiveName(name: string, version: string): string {
  return `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
}

/** Builds and packs into `folder`, which is emptied. Gives the archives' paths. */
export async function packAll(root: string, folder: string, version: string): Promise<readonly string[]> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  // The command line is compiled against the SDK's declarations.
  await run(process.execPath, [join(root, "scripts/build-sdk.ts")], { cwd: root });
  const sdk = join(root, "packages/sdk/dist");
  const cli = await buildCli(root);
  for (const built of [sdk, cli]) {
    const isWindows = process.platform === "win32";
    await run("npm", ["pack", "--pack-destination", folder], { cwd: built, shell: isWindows });
  }
  return publishedPackages.map((name) => join(folder, archiveName(name, version)));
}

async function buildCli(root: string): Promise<string> {
  const home = join(root, "packages/cli");
  const target = join(home, "dist");
  await rm(target, { recursive: true, force: true });
  const typescript = dirname(createRequire(import.meta.url).resolve("typescript/package.json"));
  const args = [join(typescript, "bin/tsc"), "-p", join(home, "tsconfig.build.json")];
  await run(process.execPath, args, { cwd: root }).catch((error: { readonly stdout?: string }) => {
    throw new Error(`The command line does not compile:\n${error.stdout}`, { cause: error });
  });
  const main = join(target, "main.js");
  await writeFile(main, `#!/usr/bin/env node\n${await readFile(main, "utf8")}`);
  const source = JSON.parse(await readFile(join(home, "package.json"), "utf8"));
  const { private: _private, ...manifest } = source;
  const published = { ...manifest, engines: { node: ">=24" }, bin: { kcs: "./main.js" } };
  await writeFile(join(target, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
  await copyFile(join(root, "docs/cli.md"), join(target, "README.md"));
  await copyFile(join(root, "docs/cli-session.txt"), join(target, "cli-session.txt"));
  await copyFile(join(root, "LICENSE"), join(target, "LICENSE"));
  return target;
}
