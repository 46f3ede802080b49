/**
 * `npm run check`: format and lint, types, architecture, regular expressions, then the tests. All of them run even when one has failed.
 * With `--static` the tests are left out, and with `--before-tests` also what these check again.
 */
import { spawn, spawnSync } from "node:child_process";
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
  const typescript = toolScript("typescript", "bin/tsc");
  return [
    {
      name: "format and lint",
      script: toolScript("@biomejs/biome", "bin/biome"),
      args: ["check", "--error-on-warnings", "--max-diagnostics=100", "."],
    },
    { name: "types", script: typescript, args: ["--noEmit", "-p", "."] },
    { name: "types of the dashboard", script: typescript, args: ["--noEmit", "-p", "packages/dashboard"] },
    {
      name: "architecture",
      script: join(root, "scripts/test.ts"),
      args: ["packages/server/test/architecture.test.ts"],
    },
    { name: "regular expressions", script: join(root, "scripts/regex.ts"), args: [] },
  ];
}

/** Shows the step's output when it has ended, so that steps can run at once. */
function passes({ name, script, args }: Step): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [script, ...args], {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const record = (part: Buffer) => {
      output += part.toString();
    };
    child.stdout.on("data", record);
    child.stderr.on("data", record);
    child.once("error", reject);
    child.once("close", (code) => {
      process.stdout.write(`— ${name}\n${output}`);
      resolve(code === 0);
    });
  });
}

async function main(args: readonly string[]): Promise<number> {
  const isBeforeTests = args.includes("--before-tests");
  const steps = staticSteps().filter(({ name }) => !isBeforeTests || name !== "architecture");
  const passed = await Promise.all(steps.map(passes));
  const failed = steps.filter((_, at) => !passed[at]).map(({ name }) => name);
  process.stdout.write(
    `— static checks ${failed.length === 0 ? "passed" : `FAILED: ${failed.join(", ")}`}\n`,
  );
  if (args.includes("--static") || isBeforeTests) return failed.length === 0 ? 0 : 1;
  // The tests come last, so that their closing line ends the output.
  const tests = spawnSync(process.execPath, [join(root, "scripts/test.ts")], { cwd: root, stdio: "inherit" });
  if (tests.error !== undefined) throw tests.error;
  return failed.length === 0 && tests.status === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
