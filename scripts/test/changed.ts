/** The test files that a change can affect: those that import a changed file, directly or through others. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, extname, join, resolve } from "node:path";

/** A change of these can affect everything. */
const affectsAll = /(^|\/)(package(-lock)?\.json|tsconfig\.json|\.npmrc)$/;
const importPattern = /(?:\bfrom\s*|\bimport\s*\(?\s*|new URL\(\s*)"([^"]+)"/g;

/** The paths in `tests` that are reached by a file that differs from `commit` or that git does not know yet. */
export function affectedTests(root: string, commit: string, tests: readonly string[]): ReadonlySet<string> {
  const changed = changedFiles(root, commit);
  if (changed.some((path) => affectsAll.test(path))) return new Set(tests);
  const paths = changed.map((path) => join(root, path));
  const isChanged = new Set(paths);
  // Data that is read and not imported is found by its name in the text of the file that reads it.
  const dataNames = paths
    .filter((path) => ![".ts", ".tsx", ".mjs", ".md"].includes(extname(path)))
    .map((path) => path.slice(path.lastIndexOf("/") + 1));
  const texts = new Map<string, string>();
  const read = (path: string) => {
    const text = texts.get(path) ?? (existsSync(path) ? readFileSync(path, "utf8") : "");
    texts.set(path, text);
    return text;
  };

  function isAffected(test: string): boolean {
    const seen = new Set([test]);
    for (const path of seen) {
      const text = read(path);
      if (isChanged.has(path) || dataNames.some((name) => text.includes(name))) return true;
      for (const imported of importsOf(root, path, text)) seen.add(imported);
    }
    return false;
  }
  return new Set(tests.filter(isAffected));
}

/** Relative to the repository. */
function changedFiles(root: string, commit: string): readonly string[] {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\n");
  const names = [...git("diff", "--name-only", commit), ...git("ls-files", "--others", "--exclude-standard")];
  return names.filter((name) => name !== "");
}

/** Also the entries of threads, which are started by their URL, and the entries of this repository's packages. */
function importsOf(root: string, path: string, text: string): readonly string[] {
  return [...text.matchAll(importPattern)].flatMap(([, name = ""]) => {
    if (name.startsWith(".")) return [resolve(dirname(path), name)];
    if (name.startsWith("@kcs/")) return [join(root, "packages", name.slice("@kcs/".length), "src/index.ts")];
    return [];
  });
}
