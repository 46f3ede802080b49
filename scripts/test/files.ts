/** Which test files there are, and in which part of a run each belongs. */
import { readFileSync } from "node:fs";
import { glob, stat } from "node:fs/promises";
import { join, relative, resolve, sep } from "node:path";

/**
 * In the order in which they run: what mostly waits comes first, and many short files fill the lanes at the end.
 * - `process`: the service as a process that is started, stopped and killed
 * - `dashboard`: in Chromium
 * - `service`: over HTTP; files that need no settings of their own share a service
 * - `store`: the store, the index, accounts and models, on the databases themselves
 * - `unit`: without a service; many files share a process
 */
export const parts = ["process", "dashboard", "service", "store", "unit"] as const;
export type Part = (typeof parts)[number];

export interface TestFile {
  readonly path: string;
  readonly part: Part;
  /** Left out of the gate, run by `npm run test:long`. */
  readonly isLong: boolean;
  /** Needs the PostgreSQL server of the run. */
  readonly usesPostgres: boolean;
  /** Runs on a Citus cluster alone, which `CITUS_URL` names. */
  readonly needsCitus: boolean;
  /** Length of the source, in characters. */
  readonly length: number;
}

const folders = ["packages", "launcher", "scripts", "evals", "bench", "examples"];

/** In order, the test files at or under `paths`, or of the whole repository when there are none. */
export async function findTestFiles(root: string, paths: readonly string[]): Promise<readonly TestFile[]> {
  const starts = (paths.length > 0 ? paths : folders).map((path) => resolve(root, path));
  const found = await Promise.all(starts.map(testFilesAt));
  return [...new Set(found.flat())].sort().map((path) => describeFile(root, path));
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

function describeFile(root: string, path: string): TestFile {
  const name = relative(root, path).split(sep).join("/");
  const text = readFileSync(path, "utf8");
  return {
    path,
    part: partOf(name, text),
    isLong: /\.long\.test\.ts$/.test(name),
    usesPostgres: /\b(usePostgres|describeOnBoth|bothDatabases)\b/.test(text),
    needsCitus: /\bcreateCitus\b/.test(text),
    length: text.length,
  };
}

function partOf(name: string, text: string): Part {
  if (/\bsetScene\b/.test(text)) return "dashboard";
  if (name.includes("/test/process/")) return "process";
  if (/\/support\/service\.ts"|\bdescribeOn(Each|Both)\b/.test(text)) return "service";
  if (/^packages\/server\/test\/(store|index|auth|models)\//.test(name)) return "store";
  return "unit";
}
