/** Installs the tools: Python's into one environment, Go's from source. */
import { execFile } from "node:child_process";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import {
  cacheFolder,
  pythonCommand as commandOf,
  installNpm,
  installPython,
  reasonOf,
} from "../install-packages.ts";
import type { Tool } from "./tool.ts";

const run = promisify(execFile);

/** A folder for a tool's files, created if necessary. */
export const scratchFolder = (name: string) => cacheFolder("kcs-outside-tools", name);

/** A file of the Python environment, such as `python` or the command of a package. */
export const pythonCommand = (name: string) => commandOf(scratchFolder("venv"), name);

/** The command of a package that was installed from npm. */
export const npmCommand = (name: string) => join(scratchFolder("npm"), "node_modules/.bin", name);

/** A command that was built from Go's modules. */
export const goCommand = (name: string) => join(scratchFolder("go"), "bin", name);

/** null when the tool is installed; otherwise why it is not, in one line. */
export async function install({ from, name, version, needs = [] }: Tool): Promise<string | null> {
  try {
    if (from === "python") {
      await installPython(scratchFolder("venv"), [`${name}==${version}`, ...needs]);
    } else if (from === "go") {
      const env = { ...process.env, GOPATH: scratchFolder("go"), GOBIN: "", GOFLAGS: "-modcacherw" };
      // A build takes minutes.
      const built = await run("go", ["version", "-m", goCommand(basename(name))]).catch(() => null);
      if (!built?.stdout.includes(`\t${version}\t`))
        await run("go", ["install", `${name}@${version}`], { env });
    } else {
      await installNpm(scratchFolder("npm"), [`${name}@${version}`]);
    }
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}
