import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

const home = import.meta.dirname;
const sources = ["src", "index.html", "package.json", "build.ts"];

/** Whether `dist` is missing or older than its sources. Without the bundler's imports, because each start of the service asks. */
export async function isStale(): Promise<boolean> {
  const built = await stat(join(home, "dist/index.html")).catch(() => null);
  return built === null || built.mtimeMs < (await newestChange());
}

async function newestChange(): Promise<number> {
  const lists = await Promise.all(
    sources.map(async (name) => {
      const path = join(home, name);
      const entries = await readdir(path, { recursive: true }).catch(() => []);
      return [path, ...entries.map((entry) => join(path, entry))];
    }),
  );
  const times = await Promise.all(lists.flat().map(async (path) => (await stat(path)).mtimeMs));
  return Math.max(...times);
}
