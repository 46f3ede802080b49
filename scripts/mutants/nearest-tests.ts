/** Which tests are run against a mutant: those that reach its file, the nearest and cheapest first. */
import { relative } from "node:path";
import type { TestFile } from "../test/files.ts";
import { createImportGraph } from "../test/import-graph.ts";

export interface NearestTests {
  /** Absolute paths of test files, in the order in which they should run; `isThorough` adds the expensive ones. */
  of(file: string, isThorough: boolean): readonly string[];
}

/** At most this many files without a service, the nearest by imports. */
const MAX_UNIT_FILES = 12;
/** Files on the databases themselves, by the folder of the mutant. */
const storeFiles: readonly (readonly [folder: string, test: RegExp])[] = [
  ["packages/server/src/engine/", /\/test\/index\//],
  ["packages/server/src/adapters/", /\/test\/store\/store\.test\.ts$/],
];
/** Those that walk through most of the service. All others cost more than they find. */
const journeys = [
  "packages/server/test/http/contract-query.test.ts",
  "packages/server/test/http/contract-ingestion.test.ts",
  "packages/server/test/http/explain.test.ts",
  "packages/server/test/http/graph.test.ts",
  "packages/server/test/http/journey.test.ts",
];
/** They take as long as all others together, and are kept for what these did not notice. */
const expensive = [
  "packages/server/test/index/life.long.test.ts",
  "packages/server/test/http/decisions-versions.long.test.ts",
  "packages/server/test/http/levels.test.ts",
];

export function createNearestTests(root: string, tests: readonly TestFile[]): NearestTests {
  const graph = createImportGraph(root);
  const gate = tests.filter(({ isLong, part }) => !isLong && (part === "unit" || part === "store"));
  const reached = new Map(gate.map(({ path }) => [path, graph.reachedFrom(path)]));
  const named = (names: readonly string[]) =>
    tests.map(({ path }) => path).filter((path) => names.includes(relative(root, path)));

  return {
    of(file, isThorough) {
      const near = gate
        .flatMap(({ path, part }) => {
          const distance = reached.get(path)?.get(file);
          return distance === undefined ? [] : [{ path, distance, part }];
        })
        .sort(
          (a, b) =>
            (a.part === b.part ? 0 : a.part === "unit" ? -1 : 1) ||
            a.distance - b.distance ||
            a.path.localeCompare(b.path),
        );
      const units = near.filter(({ part }) => part === "unit").slice(0, MAX_UNIT_FILES);
      const [, stored] = storeFiles.find(([folder]) => relative(root, file).startsWith(folder)) ?? [];
      const stores = near.filter(({ part, path }) => part === "store" && stored?.test(path) === true);
      const cheap = [...units, ...stores].map(({ path }) => path).concat(named(journeys));
      const isExpensive = (path: string) => expensive.includes(relative(root, path));
      return [...cheap.filter((path) => !isExpensive(path)), ...(isThorough ? named(expensive) : [])];
    },
  };
}
