/** Installs packages of others into folders below `node_modules/.cache`. The project needs none of them. */
import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A folder below `node_modules/.cache`, created if necessary. */
export function cacheFolder(...path: readonly string[]): string {
  const folder = resolve(import.meta.dirname, "../node_modules/.cache", ...path);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** A file of a Python environment, such as `python` or the command of a package. */
export function pythonCommand(environment: string, name: string): string {
  return join(environment, process.platform === "win32" ? "Scripts" : "bin", name);
}

/**
 * Into a virtual environment of the machine's Python, which is created if necessary. What is in `without` is installed
 * without what it requires.
 */
export async function installPython(
  environment: string,
  requirements: readonly string[],
  without: readonly string[] = [],
): Promise<void> {
  await run("python3", ["-m", "venv", environment]);
  const install = ["-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check"];
  const python = pythonCommand(environment, "python");
  await run(python, [...install, ...requirements]);
  if (without.length > 0) await run(python, [...install, "--no-deps", ...without]);
}

export async function installNpm(folder: string, packages: readonly string[]): Promise<void> {
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"];
  await run("npm", ["install", "--prefix", folder, ...options, ...packages]);
}

/** Why a command failed, in one line. */
export function reasonOf(error: unknown): string {
  const { stderr, message } = error as Error & { stderr?: string }; // What `execFile` rejects with.
  return (stderr || message).trim().split("\n").at(-1) ?? "";
}
