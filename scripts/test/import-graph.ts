/** Which files of the repository a file imports, directly or through others. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const importPattern = /(?:\bfrom\s*|\bimport\s*\(?\s*|new URL\(\s*)"([^"]+)"/g;

export interface ImportGraph {
  /** The text of a file, "" where there is none. */
  read(path: string): string;
  /** Every file that `path` reaches, itself included, with the number of imports between them. */
  reachedFrom(path: string): ReadonlyMap<string, number>;
}

/** Threads count as imported by the file that starts them by their URL. Paths are absolute. */
export function createImportGraph(root: string): ImportGraph {
  const texts = new Map<string, string>();
  const imports = new Map<string, readonly string[]>();

  function read(path: string): string {
    const text = texts.get(path) ?? (isFile(path) ? readFileSync(path, "utf8") : "");
    texts.set(path, text);
    return text;
  }
  function importsOf(path: string): readonly string[] {
    const known = imports.get(path) ?? findImports(root, path, read(path));
    imports.set(path, known);
    return known;
  }

  return {
    read,
    reachedFrom(path) {
      const distances = new Map([[path, 0]]);
      for (const [at, distance] of distances) {
        for (const next of importsOf(at)) if (!distances.has(next)) distances.set(next, distance + 1);
      }
      return distances;
    },
  };
}

function findImports(root: string, path: string, text: string): readonly string[] {
  return [...text.matchAll(importPattern)].flatMap(([, name = ""]) => {
    if (name.startsWith(".")) return [resolve(dirname(path), name)];
    const [, packageName, entry = "index"] = /^@kcs\/([^/]+)(?:\/(.+))?$/.exec(name) ?? [];
    if (packageName === undefined) return [];
    const folder = join(root, "packages", packageName, "src");
    return [join(folder, `${entry}.ts`), join(folder, entry, "document.ts")].filter(isFile);
  });
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}
