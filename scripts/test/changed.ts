/** The test files that a change can affect: those that reach a changed file by their imports. */
import { execFileSync } from "node:child_process";
import { extname, join } from "node:path";
import { createImportGraph } from "./import-graph.ts";

/** A change of these can affect everything. */
const affectsAll = /(^|\/)(package(-lock)?\.json|tsconfig\.json|\.npmrc)$/;
const codeExtensions = [".ts", ".tsx", ".mjs", ".md"];

/** The paths in `tests` that are reached by a file that differs from `commit` or that git does not know yet. */
export function affectedTests(root: string, commit: string, tests: readonly string[]): ReadonlySet<string> {
  const changed = changedFiles(root, commit);
  if (changed.some((path) => affectsAll.test(path))) return new Set(tests);
  const paths = new Set(changed.map((path) => join(root, path)));
  // Data that is read and not imported is found by its name in the text of the file that reads it.
  const dataNames = changed
    .filter((path) => !codeExtensions.includes(extname(path)))
    .map((path) => path.slice(path.lastIndexOf("/") + 1));
  const graph = createImportGraph(root);
  // Its tests see it through a browser, not through imports.
  const dashboard = join(root, "packages/dashboard/");
  const isDashboardChanged = [...paths].some((path) => path.startsWith(dashboard));
  const isAffected = (test: string) =>
    (isDashboardChanged && test.startsWith(dashboard)) ||
    [...graph.reachedFrom(test).keys()].some(
      (path) => paths.has(path) || dataNames.some((name) => graph.read(path).includes(name)),
    );
  return new Set(tests.filter(isAffected));
}

/** Relative to the repository. */
function changedFiles(root: string, commit: string): readonly string[] {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\n");
  const names = [...git("diff", "--name-only", commit), ...git("ls-files", "--others", "--exclude-standard")];
  return names.filter((name) => name !== "");
}
