/** `npm test [-- path…]`: runs the repository's tests, or those at the paths, and ends with one closing line. */
import { spawnSync } from "node:child_process";
import { glob, stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join, relative, resolve } from "node:path";
import { run } from "node:test";
import { closingLine, createFileReport, type FileResult, formatFile, isSuccess } from "./test-report.ts";

const minuteMs = 60_000;
/** A test that needs longer says so itself (`{ timeout }`). */
const testTimeoutMs = 2 * minuteMs;
/** Against what a test's own timeout cannot stop: an endless loop, a handle that keeps the process alive. */
const fileTimeoutMs = 10 * minuteMs;
const runTimeoutMs = 22 * minuteMs;

const root = resolve(import.meta.dirname, "..");
const testFolders = ["packages", "launcher", "scripts", "evals", "bench"];

async function main(paths: readonly string[]): Promise<boolean> {
  const files = await findTestFiles(paths);
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => stop.abort());
  const limit = AbortSignal.any([stop.signal, AbortSignal.timeout(runTimeoutMs)]);
  buildDashboard();

  const results: FileResult[] = [];
  const waiting = [...files];
  const runWaiting = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const result = await runFile(file, limit);
      results.push(result);
      process.stdout.write(formatFile(result));
    }
  };
  // Some tests start a service of several threads: more files at once than cores only makes them time out.
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, runWaiting));

  if (limit.aborted) process.stdout.write("The run was cut off: what had not ended counts as failed.\n");
  if (files.length === 0) process.stdout.write(`No test file at ${paths.join(", ")}.\n`);
  process.stdout.write(`\n${closingLine(results)}\n`);
  return isSuccess(results);
}

/** Once, before services that each would. Its tests say what is wrong where it fails. */
function buildDashboard(): void {
  const script = join(root, "packages/dashboard/build.ts");
  spawnSync(process.execPath, [script, "--if-stale"], { cwd: root, stdio: "inherit" });
}

async function runFile(file: string, stop: AbortSignal): Promise<FileResult> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(fileTimeoutMs)]);
  const report = createFileReport(file, relative(root, file));
  for await (const event of run({ files: [file], timeout: testTimeoutMs, signal, cwd: root }))
    report.add(event);
  return report.end();
}

/** Absolute paths, in order, of the test files at or under `paths`; of the whole repository where there are none. */
async function findTestFiles(paths: readonly string[]): Promise<readonly string[]> {
  const starts =
    paths.length > 0 ? paths.map((path) => resolve(path)) : testFolders.map((name) => join(root, name));
  const files = await Promise.all(starts.map(testFilesAt));
  return [...new Set(files.flat())].sort();
}

async function testFilesAt(path: string): Promise<readonly string[]> {
  const entry = await stat(path).catch(() => null);
  if (entry === null) return [];
  if (entry.isFile()) return [path];
  const exclude = (name: string) => /(^|[\\/])(node_modules|dist)$/.test(name);
  return await Array.fromAsync(glob("**/*.test.{ts,mjs}", { cwd: path, exclude }), (name) =>
    join(path, name),
  );
}

// The developer's own service and its data must not be what the tests run on.
for (const name of Object.keys(process.env)) {
  if (name.startsWith("KCS_") || name === "DATABASE_URL") delete process.env[name];
}
// process.exit because an aborted run leaves handles behind.
process.exit((await main(process.argv.slice(2))) ? 0 : 1);
