/**
 * `npm run check`: format and lint, types, architecture, tests. All of them run even when one has failed.
 * With `--static` the tests are left out.
 */
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const require = createRequire(import.meta.url);

interface Step {
  readonly name: string;
  readonly script: string;
  readonly args: readonly string[];
}

/** The file in a tool's package that its command runs. */
function toolScript(packageName: string, file: string): string {
  return join(dirname(require.resolve(`${packageName}/package.json`)), file);
}

function staticSteps(): readonly Step[] {
  const architecture = "packages/server/test/architecture.test.ts";
  return [
    {
      name: "format and lint",
      script: toolScript("@biomejs/biome", "bin/biome"),
      args: ["check", "--error-on-warnings", "--max-diagnostics=100", "."],
    },
    { name: "types", script: toolScript("typescript", "bin/tsc"), args: ["--noEmit", "-p", "."] },
    {
      name: "types of the dashboard",
      script: toolScript("typescript", "bin/tsc"),
      args: ["--noEmit", "-p", "packages/dashboard"],
    },
    { name: "architecture", script: join(root, "scripts/test.ts"), args: [architecture] },
  ];
}

function passes({ name, script, args }: Step): boolean {
  process.stdout.write(`— ${name}\n`);
  const { status, error } = spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: "inherit" });
  if (error !== undefined) throw error;
  return status === 0;
}

function main(args: readonly string[]): number {
  const failed = staticSteps().filter((step) => !passes(step));
  const verdict = failed.length === 0 ? "passed" : `FAILED: ${failed.map(({ name }) => name).join(", ")}`;
  process.stdout.write(`— static checks ${verdict}\n`);
  // The tests come last, so that their closing line ends the output.
  const testsPass =
    args.includes("--static") || passes({ name: "tests", script: join(root, "scripts/test.ts"), args: [] });
  return failed.length === 0 && testsPass ? 0 : 1;
}

process.exitCode = main(process.argv.slice(2));
