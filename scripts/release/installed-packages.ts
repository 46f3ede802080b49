/** Installs the packed packages in an empty folder and uses them there, as a reader of their documentation does. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const modules = ["@kcs/sdk", "@kcs/sdk/langchain", "@kcs/sdk/ai"];
const names = "createClient, createRetriever, createSearchTool";

export interface InstalledPackages {
  /** Runs a program in the folder; gives what it printed. */
  run(program: string, ...args: readonly string[]): Promise<string>;
}

/** @param env added to this process's, for npm and for the programs */
export async function installPackages(
  folder: string,
  archives: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<InstalledPackages> {
  const options = { cwd: folder, env: { ...process.env, XDG_CONFIG_HOME: folder, ...env } };
  const run = async (program: string, ...args: readonly string[]) =>
    (await promisify(execFile)(program, args, { ...options, shell: process.platform === "win32" })).stdout;
  await writeFile(join(folder, "package.json"), '{ "private": true }\n');
  await run("npm", "install", "--offline", "--no-audit", "--no-fund", ...archives);
  return { run };
}

export async function checkInstalledPackages({ run }: InstalledPackages, version: string): Promise<void> {
  assert.equal(await run("npx", "--no", "kcs", "version"), `${version}\n`);
  const print = `console.log(typeof createClient, typeof createRetriever, typeof createSearchTool)`;
  const imports = modules.map((name) => `await import("${name}")`).join(", ");
  const requires = modules.map((name) => `require("${name}")`).join(", ");
  for (const [type, loaded] of [
    ["module", imports],
    ["commonjs", requires],
  ] as const) {
    const code = `const { ${names} } = Object.assign({}, ${loaded}); ${print}`;
    assert.equal(await run("node", `--input-type=${type}`, "--eval", code), "function function function\n");
  }
}
