/** Installs the tools below `node_modules/.cache`, Python's into an environment of their own, Go's from source. The project needs none of them. */
import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Tool } from "./tool.ts";

const run = promisify(execFile);
const cache = resolve(import.meta.dirname, "../../node_modules/.cache/kcs-outside-tools");
const venv = join(cache, "venv");
const bin = join(venv, process.platform === "win32" ? "Scripts" : "bin");

/** A file of the Python environment, such as `python` or the command of a package. */
export const pythonCommand = (name: string) => join(bin, name);

/** The command of a package that was installed from npm. */
export const npmCommand = (name: string) => join(cache, "npm/node_modules/.bin", name);

/** A command that was built from Go's modules. */
export const goCommand = (name: string) => join(cache, "go/bin", name);

/** A folder for a tool's files, created if necessary. */
export function scratchFolder(name: string): string {
  const folder = join(cache, name);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** null when the tool is installed; otherwise why it is not, in one line. */
export async function install({ from, name, version, needs = [] }: Tool): Promise<string | null> {
  try {
    if (from === "python") {
      await run("python3", ["-m", "venv", venv]);
      const options = ["--quiet", "--disable-pip-version-check"];
      const requirements = [`${name}==${version}`, ...needs];
      await run(pythonCommand("python"), ["-m", "pip", "install", ...options, ...requirements]);
    } else if (from === "go") {
      const env = { ...process.env, GOPATH: scratchFolder("go"), GOBIN: "", GOFLAGS: "-modcacherw" };
      // A build takes minutes.
      const built = await run("go", ["version", "-m", goCommand(basename(name))]).catch(() => null);
      if (!built?.stdout.includes(`\t${version}\t`))
        await run("go", ["install", `${name}@${version}`], { env });
    } else {
      const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel", "error"];
      await run("npm", ["install", "--prefix", scratchFolder("npm"), ...options, `${name}@${version}`]);
    }
    return null;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }; // What `execFile` rejects with.
    return (stderr || message).trim().split("\n").at(-1) ?? "";
  }
}
