import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

const own = ["src", "index.html", "package.json", "build.ts"];
/** What the pages import from the packages next to this one. */
const imported = [
  "../sdk/src",
  "../contract/src/ontology-formats.ts",
  "../contract/src/ready-ontologies.ts",
  "../contract/ready-ontologies",
];

/** Whether `dist` is missing or older than its sources. Without the bundler's imports, because each start of the service asks. */
export async function isStale(home: string = import.meta.dirname): Promise<boolean> {
  const built = await timeOf(join(home, "dist/index.html"));
  return built === 0 || built < (await newestChange(home));
}

async function newestChange(home: string): Promise<number> {
  const lists = await Promise.all(
    [...own, ...imported].map(async (name) => {
      const path = join(home, name);
      const entries = await readdir(path, { recursive: true }).catch(() => []);
      return [path, ...entries.map((entry) => join(path, entry))];
    }),
  );
  return Math.max(...(await Promise.all(lists.flat().map(timeOf))));
}

/** 0: there is no such file. */
async function timeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}
