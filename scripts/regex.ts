/**
 * `node scripts/regex.ts`: proves that no regular expression in `packages/*​/src` takes more than linear time on any text.
 */
import { glob, readFile } from "node:fs/promises";
import { resolve, sep } from "node:path";
import { findRegexes, type SourceRegex } from "./regex/find-regexes.ts";
import { faultOf } from "./regex/prove-linear.ts";
import { recordBuilt } from "./regex/record-built.ts";
import { UNPROVEN } from "./regex/unproven.ts";

const root = resolve(import.meta.dirname, "..");

interface Place extends SourceRegex {
  readonly path: string;
}

async function readPlaces(): Promise<readonly Place[]> {
  const paths = await Array.fromAsync(glob("packages/*/src/**/*.{ts,tsx}", { cwd: root }));
  const sources = paths.filter((path) => !/\.test\.tsx?$/.test(path)).sort();
  const places = sources.map(async (path) => {
    const found = findRegexes(path, await readFile(resolve(root, path), "utf8"));
    return found.map((regex) => ({ ...regex, path: path.replaceAll(sep, "/") }));
  });
  return (await Promise.all(places)).flat();
}

async function findFaults(): Promise<readonly string[]> {
  const places = await readPlaces();
  const building = places.filter(({ literal }) => literal === null);
  const built = await recordBuilt(new Set(building.map(({ path }) => resolve(root, path))));
  const faults: string[] = [];
  const listed = new Set(UNPROVEN);
  for (const { path, line, code, literal } of places) {
    const known = UNPROVEN.find((each) => each.path === path && code.startsWith(each.code));
    const regex = literal ?? built.get(`${resolve(root, path)}:${line}`);
    if (known !== undefined) listed.delete(known);
    else if (regex === undefined)
      faults.push(`${path}:${line} is not built when its module is loaded: ${code}`);
    else {
      const fault = faultOf(regex);
      if (fault !== null) faults.push(`${path}:${line} ${fault}: ${code}`);
    }
  }
  return [...faults, ...[...listed].map(({ path, code }) => `${path} has no ${code}…, which is listed`)];
}

const faults = await findFaults();
process.stdout.write(faults.map((fault) => `${fault}\n`).join(""));
process.exitCode = faults.length === 0 ? 0 : 1;
