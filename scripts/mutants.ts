/**
 * `npm run mutants [-- --count N] [--seed N] [--survivors]`: plants faults drawn at random in the service's core, one at a
 * time, runs the gate's nearest tests against each, and writes which of them no test noticed.
 *   --survivors   tries only those again that the last run left alive and that have no reason to be, also against the
 *                 expensive tests
 */
import {
  appendFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { findMutants, type Mutant } from "./mutants/find-mutants.ts";
import { createNearestTests } from "./mutants/nearest-tests.ts";
import { findTestFiles } from "./test/files.ts";
import { createLane } from "./test/lane.ts";
import { startPostgres } from "./test/postgres-server.ts";

const root = resolve(import.meta.dirname, "..");
const resultFile = join(root, "scripts/mutants/result.json");
/** What an unfinished run has tried so far, one mutant a line: the next run of the same code goes on from there. */
const journalFile = join(root, "node_modules/.cache/kcs-mutants.jsonl");
/** What may have mutants: the index, questions, SQL, threads and use cases. The rest is read by its own evaluations. */
const targets = [
  "packages/server/src/engine/index/**/*.ts",
  "packages/server/src/engine/query/**/*.ts",
  "packages/server/src/adapters/database/operations/**/*.ts",
  "packages/server/src/threads/**/*.ts",
  "packages/server/src/services/**/*.ts",
];
const testMs = 30_000;
const fileMs = 90_000;

interface Tried extends Mutant {
  /** The test file that failed, or null when none did. */
  readonly killedBy: string | null;
  /** Of a survivor: why it is equivalent or harmless. Written by hand into the result file; kept by later runs. */
  readonly reason?: string;
}

interface Result {
  readonly seed: number;
  readonly candidates: number;
  readonly tried: number;
  readonly killed: number;
  readonly share: number;
  readonly mutants: readonly Tried[];
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      count: { type: "string", default: "300" },
      seed: { type: "string", default: "13" },
      survivors: { type: "boolean", default: false },
    },
  });
  const candidates = listCandidates();
  const seed = Number(values.seed);
  const last = values.survivors ? readLast() : null;
  const open = last?.mutants.filter((mutant) => !isSettled(mutant)) ?? [];
  const chosen =
    last === null ? draw(candidates, { seed, count: Number(values.count) }) : stillThere(open, candidates);
  const nearest = createNearestTests(root, await findTestFiles(root, []));
  const tried = withReasons(
    await tryAll(chosen, (file) => nearest.of(file, last !== null)),
    readLast()?.mutants ?? [],
  );
  const gone = open
    .filter((mutant) => !tried.some((other) => isSameChange(mutant, other)))
    .map((mutant) => ({
      ...mutant,
      reason: "The code was changed or deleted after this mutant had survived.",
    }));
  const kept = [...(last?.mutants.filter(isSettled) ?? []), ...gone];
  const mutants = [...kept, ...tried].sort((a, b) => a.file.localeCompare(b.file) || a.start - b.start);
  const killed = mutants.filter(({ killedBy }) => killedBy !== null).length;
  const share = Math.round((1000 * killed) / mutants.length) / 1000;
  const result: Result = {
    seed: last?.seed ?? seed,
    candidates: candidates.length,
    tried: mutants.length,
    killed,
    share,
    mutants,
  };
  writeFileSync(resultFile, `${JSON.stringify(result, null, 2)}\n`);
  rmSync(journalFile, { force: true });
  process.stdout.write(
    `${killed} of ${mutants.length} mutants were killed (${(100 * share).toFixed(1)} %).\n`,
  );
}

function readLast(): Result | null {
  return existsSync(resultFile) ? (JSON.parse(readFileSync(resultFile, "utf8")) as Result) : null;
}

function isSettled({ killedBy, reason }: Tried): boolean {
  return killedBy !== null || reason !== undefined;
}

/** Survivors with the reasons that the last result gives for the same change of the same file. */
function withReasons(tried: readonly Tried[], last: readonly Tried[]): readonly Tried[] {
  return tried.map((mutant) => {
    if (mutant.killedBy !== null) return mutant;
    const reason = last.find((other) => isSameChange(other, mutant))?.reason;
    return reason === undefined ? mutant : { ...mutant, reason };
  });
}

function isSameChange(one: Mutant, other: Mutant): boolean {
  const fields = ["file", "code", "original", "replacement"] as const;
  return fields.every((field) => one[field] === other[field]);
}

function listCandidates(): readonly Mutant[] {
  const files = targets
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .filter((file) => !/(\.test|\/test-[a-z-]+)\.ts$/.test(file))
    .sort();
  return files.flatMap((file) => findMutants(file, readFileSync(join(root, file), "utf8")));
}

/** `count` of the candidates without repetition, the same for the same seed and code. */
function draw(
  candidates: readonly Mutant[],
  { seed, count }: { readonly seed: number; readonly count: number },
): readonly Mutant[] {
  const random = createRandom(seed);
  const left = [...candidates];
  const drawn: Mutant[] = [];
  while (drawn.length < count && left.length > 0) {
    drawn.push(...left.splice(Math.floor(random() * left.length), 1));
  }
  return drawn;
}

/** Mulberry32: numbers in [0, 1). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Survivors of an earlier run at their present place; one whose line has changed is no longer tried. */
function stillThere(survivors: readonly Mutant[], candidates: readonly Mutant[]): readonly Mutant[] {
  return survivors.flatMap((survivor) => {
    const same = candidates.filter((candidate) => isSameChange(candidate, survivor));
    const nearest = same.sort((a, b) => Math.abs(a.line - survivor.line) - Math.abs(b.line - survivor.line));
    return nearest.slice(0, 1);
  });
}

type TestsOf = (file: string) => readonly string[];

async function tryAll(mutants: readonly Mutant[], testsOf: TestsOf): Promise<readonly Tried[]> {
  const postgres = await startPostgres();
  const journal = readJournal();
  const isSame = (one: Mutant, other: Mutant) => isSameChange(one, other) && one.start === other.start;
  const tried = mutants.flatMap((mutant) => journal.find((entry) => isSame(entry, mutant)) ?? []);
  const waiting = mutants.filter((mutant) => !tried.some((entry) => isSame(entry, mutant)));
  const runWaiting = async () => {
    const copy = copyRepository();
    try {
      for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
        const killedBy = await tryOne(mutant, { copy, testsOf, postgresUrl: postgres.url });
        tried.push({ ...mutant, killedBy });
        appendFileSync(journalFile, `${JSON.stringify({ ...mutant, killedBy })}\n`);
        const { file, line, original, replacement } = mutant;
        const change = `${original.slice(0, 40)} → ${replacement.slice(0, 40)}`.replace(/\s+/g, " ");
        const verdict = killedBy === null ? "SURVIVED" : `killed by ${killedBy}`;
        process.stdout.write(`[${tried.length}/${mutants.length}] ${file}:${line} ${change}: ${verdict}\n`);
      }
    } finally {
      rmSync(copy, { recursive: true, force: true, maxRetries: 5 });
    }
  };
  try {
    // More than cores, because tests also wait for the databases.
    const lanes = Math.ceil(1.5 * availableParallelism());
    await Promise.all(Array.from({ length: lanes }, runWaiting));
  } finally {
    await postgres.stop();
  }
  return tried;
}

function readJournal(): readonly Tried[] {
  if (!existsSync(journalFile)) return [];
  const lines = readFileSync(journalFile, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

/** A copy of what the tests read, which shares the installed packages. */
function copyRepository(): string {
  const copy = mkdtempSync(join(tmpdir(), "kcs-mutants-"));
  for (const name of [
    "packages",
    "scripts",
    "launcher",
    "evals",
    "bench",
    "docs",
    "package.json",
    "tsconfig.json",
  ]) {
    cpSync(join(root, name), join(copy, name), {
      recursive: true,
      filter: (path) => !/[\\/](node_modules|dist)$/.test(path),
    });
  }
  for (const folder of ["", "packages/server"]) {
    symlinkSync(join(root, folder, "node_modules"), join(copy, folder, "node_modules"), "junction");
  }
  mkdirSync(join(copy, "tmp"));
  return copy;
}

/** The first test file that fails while the mutant is planted; null when all pass. */
async function tryOne(
  mutant: Mutant,
  input: { readonly copy: string; readonly testsOf: TestsOf; readonly postgresUrl: string },
): Promise<string | null> {
  const { copy, testsOf, postgresUrl } = input;
  const path = join(copy, mutant.file);
  const text = readFileSync(path, "utf8");
  writeFileSync(path, text.slice(0, mutant.start) + mutant.replacement + text.slice(mutant.end));
  const lane = createLane({
    root: copy,
    testLimitMs: testMs,
    fileLimitMs: fileMs,
    env: {
      PATH: process.env["PATH"],
      HOME: process.env["HOME"],
      TMPDIR: join(copy, "tmp"),
      NODE_COMPILE_CACHE: join(root, "node_modules/.cache/kcs-test-code"),
      KCS_TEST_LANE: "1",
      KCS_TEST_DATABASE: "sqlite",
      KCS_TEST_POSTGRES: postgresUrl,
    },
  });
  try {
    for (const test of testsOf(join(root, mutant.file))) {
      const result = await lane.run(join(copy, relative(root, test)));
      if (result.failed > 0) return result.name;
    }
    return null;
  } finally {
    lane.kill();
    writeFileSync(path, text);
    rmSync(join(copy, "tmp"), { recursive: true, force: true });
    mkdirSync(join(copy, "tmp"), { recursive: true });
  }
}

await main();
// Killed lanes can leave handles open.
process.exit(0);
