/** Lists the imports of a file and finds import cycles. */
import { posix } from "node:path";
import { lineOf, type SourceFile, separate } from "./source-text.ts";

export interface Import {
  /** Path of the importing file. */
  readonly from: string;
  readonly line: number;
  /** A path relative to the repository, or the unchanged name of a package or built-in module. */
  readonly target: string;
  readonly isRelative: boolean;
}

const specifier = /(?:\bfrom|\bimport|\bimport\s*\(|\bnew\s+URL\s*\(|\brequire\s*\()\s*"([^"\n]*)"/g;

/** Static and dynamic imports, re-exports and the files that are started as threads (`new URL("…")`). */
export function importsOf({ path, text }: SourceFile): readonly Import[] {
  const { code, codeAndStrings } = separate(text);
  return [...codeAndStrings.matchAll(specifier)]
    .filter((match) => code[match.index] !== " ")
    .filter((match) => !match[0].startsWith("new") || isThread(path, match[1] ?? ""))
    .map((match) => {
      const name = match[1] ?? "";
      const isRelative = name.startsWith(".");
      return {
        from: path,
        line: lineOf(text, match.index),
        target: isRelative ? posix.join(posix.dirname(path), name) : name,
        isRelative,
      };
    });
}

/** True for the URL of a thread that a package starts. Elsewhere a file URL names a command line program. */
function isThread(path: string, name: string): boolean {
  return path.startsWith("packages/") && /^\.{1,2}\/.*\.ts$/.test(name);
}

/** One import cycle, or null. The first file is repeated at the end. */
export function findCircle(imports: readonly Import[]): readonly string[] | null {
  const targets = Map.groupBy(imports, ({ from }) => from);
  const finished = new Set<string>();
  const visit = (file: string, path: readonly string[]): readonly string[] | null => {
    const start = path.indexOf(file);
    if (start >= 0) return [...path.slice(start), file];
    if (finished.has(file)) return null;
    for (const { target } of targets.get(file) ?? []) {
      const circle = visit(target, [...path, file]);
      if (circle !== null) return circle;
    }
    finished.add(file);
    return null;
  };
  for (const file of targets.keys()) {
    const circle = visit(file, []);
    if (circle !== null) return circle;
  }
  return null;
}
