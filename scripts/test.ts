/**
 * `npm test [-- path…]` runs the gate's tests, or the test files at or under the paths, and ends with one closing line.
 *   --changed [commit]   only the files that a change since the commit (HEAD unless given) can affect
 *   --long               the long tests: every service and process file on PostgreSQL, and the files `*.long.test.ts`
 *   --citus              services that choose no database run on the Citus cluster that CITUS_URL names
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { affectedTests } from "./test/changed.ts";
import { closingLine, type FileResult, formatFailures, formatFile, isSuccess } from "./test/file-report.ts";
import { findTestFiles, parts, type TestFile } from "./test/files.ts";
import { createLane } from "./test/lane.ts";
import { startPostgres } from "./test/postgres-server.ts";

const minuteMs = 60_000;

interface Options {
  readonly paths: readonly string[];
  /** null = all files; else the commit that is compared with the working tree. */
  readonly changedSince: string | null;
  readonly isLong: boolean;
  readonly isOnCitus: boolean;
}

/** Of the gate and of the long run; a test that needs longer than `testMs` says so itself (`{ timeout }`). */
const limits = {
  gate: { testMs: 2 * minuteMs, fileMs: 5 * minuteMs, runMs: 20 * minuteMs },
  long: { testMs: 5 * minuteMs, fileMs: 15 * minuteMs, runMs: 60 * minuteMs },
};

const root = resolve(import.meta.dirname, "..");
const cache = join(root, "node_modules/.cache");
/** The seconds that each file took last, so that long files start first. */
const durationsFile = join(cache, "kcs-test-durations.json");

function readOptions(args: readonly string[]): Options {
  const isLong = args.includes("--long");
  const isOnCitus = args.includes("--citus");
  const rest = args.filter((arg) => arg !== "--long" && arg !== "--citus");
  const at = rest.indexOf("--changed");
  if (at < 0) return { paths: rest, changedSince: null, isLong, isOnCitus };
  const commit = rest[at + 1];
  return { paths: rest.slice(0, at), changedSince: commit ?? "HEAD", isLong, isOnCitus };
}

async function main(options: Options): Promise<boolean> {
  if (options.isOnCitus && !hasCluster()) {
    process.stdout.write("Nothing is run: CITUS_URL names no cluster.\n");
    return false;
  }
  const files = await chooseFiles(options);
  const limit = options.isLong ? limits.long : limits.gate;
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => stop.abort());
  const aborted = AbortSignal.any([stop.signal, AbortSignal.timeout(limit.runMs)]);
  if (files.some(({ part }) => part === "dashboard" || part === "service")) buildDashboard();
  const isOnServer = options.isLong || options.isOnCitus;
  const needsPostgres = files.some((file) => file.usesPostgres || (isOnServer && isOnPostgres(file)));
  const postgres = needsPostgres ? await startPostgres() : null;
  try {
    const results = await runFiles(files, { env: childEnvironment(options, postgres?.url), limit, aborted });
    if (aborted.aborted)
      process.stdout.write("The run was stopped: files that had not ended count as failed.\n");
    if (files.length === 0) process.stdout.write(`${whyNothingRuns(options)}\n`);
    process.stdout.write(`\n${formatFailures(results)}\n${closingLine(results)}\n`);
    return isSuccess(results) || (files.length === 0 && options.changedSince !== null);
  } finally {
    await postgres?.stop();
  }
}

async function chooseFiles({ paths, changedSince, isLong }: Options): Promise<readonly TestFile[]> {
  const found = await findTestFiles(root, paths);
  const isNamed = (file: TestFile) => paths.some((path) => resolve(root, path) === file.path);
  const wanted = found.filter((file) =>
    isLong ? file.isLong || isOnPostgres(file) : !file.isLong || isNamed(file),
  );
  const chosen = wanted.filter((file) => !file.needsCitus || hasCluster() || isNamed(file));
  for (const { path } of wanted.filter((file) => !chosen.includes(file)))
    process.stdout.write(`${relative(root, path)} is not run: CITUS_URL names no cluster.\n`);
  if (changedSince === null) return chosen;
  const affected = affectedTests(
    root,
    changedSince,
    chosen.map(({ path }) => path),
  );
  return chosen.filter(({ path }) => affected.has(path));
}

function hasCluster(): boolean {
  return process.env["CITUS_URL"] !== undefined;
}

/** In the long run: what the gate runs on SQLite alone. */
function isOnPostgres({ part }: TestFile): boolean {
  return part === "service" || part === "process";
}

function whyNothingRuns({ paths, changedSince }: Options): string {
  return changedSince === null
    ? `No test file at ${paths.join(", ")}.`
    : `No test file is affected by what has changed since ${changedSince}.`;
}

/** Once, before services that each would. The dashboard's tests say what is wrong when it fails. */
function buildDashboard(): void {
  const script = join(root, "packages/dashboard/build.ts");
  spawnSync(process.execPath, [script, "--if-stale"], { cwd: root, stdio: "inherit" });
}

/**
 * The developer's own settings do not reach the tests, which share compiled code and one PostgreSQL server. The request to
 * record golden results and the seed of drawn cases do.
 */
function childEnvironment(
  { isLong, isOnCitus }: Options,
  postgresUrl: string | undefined,
): NodeJS.ProcessEnv {
  const passed = ["KCS_WRITE_GOLDEN", "KCS_TEST_SEED"];
  const isOwn = (name: string) =>
    (name.startsWith("KCS_") && !passed.includes(name)) || name === "DATABASE_URL";
  const given = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !isOwn(name) && name !== "NODE_TEST_CONTEXT"),
  );
  return {
    ...given,
    NODE_COMPILE_CACHE: join(cache, "kcs-test-code"),
    KCS_TEST_LANE: "1",
    KCS_TEST_DATABASE: isOnCitus ? "citus" : isLong ? "postgres" : "sqlite",
    ...(postgresUrl === undefined ? {} : { KCS_TEST_POSTGRES: postgresUrl }),
  };
}

async function runFiles(
  files: readonly TestFile[],
  input: {
    readonly env: NodeJS.ProcessEnv;
    readonly limit: { readonly testMs: number; readonly fileMs: number };
    readonly aborted: AbortSignal;
  },
): Promise<readonly FileResult[]> {
  const { env, limit, aborted } = input;
  const durations = readDurations();
  const waiting = inRunningOrder(files, durations);
  const results: FileResult[] = [];
  const spans = new Map<string, { from: number; to: number }>();
  let ended = 0;

  async function runLane(): Promise<void> {
    const lane = createLane({ root, testLimitMs: limit.testMs, fileLimitMs: limit.fileMs, env });
    const kill = () => lane.kill();
    aborted.addEventListener("abort", kill);
    let part: string | null = null;
    for (let file = waiting.shift(); file !== undefined && !aborted.aborted; file = waiting.shift()) {
      // Parts do not share a process: a service's threads would slow down what is measured in units.
      if (part !== null && part !== file.part) add(await lane.end());
      part = file.part;
      const from = performance.now();
      const result = await lane.run(file.path);
      const span = spans.get(part) ?? { from, to: from };
      spans.set(part, { from: span.from, to: performance.now() });
      durations[result.name] = Math.round(result.durationMs) / 1000;
      ended++;
      add(result);
    }
    add(aborted.aborted ? null : await lane.end());
    aborted.removeEventListener("abort", kill);
  }
  function add(result: FileResult | null): void {
    if (result === null) return;
    results.push(result);
    process.stdout.write(formatFile(result, `[${ended}/${files.length}]`));
  }

  // More lanes than cores save few seconds, and make what waits for a page or a service wait longer.
  const lanes = Math.min(4, availableParallelism(), files.length);
  await Promise.all(Array.from({ length: lanes }, runLane));
  for (const [part, { from, to }] of spans) {
    process.stdout.write(`${part}: ${((to - from) / 1000).toFixed(1)} s\n`);
  }
  writeDurations(durations);
  return results;
}

/** Part by part, and in each the file that took longest first; a new file counts as long, and the longer its source the longer. */
function inRunningOrder(files: readonly TestFile[], durations: Readonly<Record<string, number>>): TestFile[] {
  const newFileSeconds = 1000;
  const secondsOf = ({ path, length }: TestFile) =>
    durations[relative(root, path)] ?? newFileSeconds + length;
  return [...files].sort(
    (a, b) => parts.indexOf(a.part) - parts.indexOf(b.part) || secondsOf(b) - secondsOf(a),
  );
}

function readDurations(): Record<string, number> {
  return existsSync(durationsFile) ? JSON.parse(readFileSync(durationsFile, "utf8")) : {};
}

function writeDurations(durations: Readonly<Record<string, number>>): void {
  mkdirSync(dirname(durationsFile), { recursive: true });
  // Replaced in one step: a run that starts at this moment reads the old file or the new one.
  const next = `${durationsFile}.${process.pid}`;
  writeFileSync(next, JSON.stringify(durations));
  renameSync(next, durationsFile);
}

const hasPassed = await main(readOptions(process.argv.slice(2)));
// A stopped run can leave handles open.
process.exit(hasPassed ? 0 : 1);
