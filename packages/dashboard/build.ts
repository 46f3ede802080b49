/**
 * Builds the dashboard into `dist`, which the service serves.
 *
 *   node build.ts [--if-stale]
 *
 * With `--if-stale` only where it is missing or older than what it is made from. Beside each file of some size lies a
 * compressed one. The folder is put together under another name and then renamed, so that nobody is served half of it.
 */
import { readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const home = import.meta.dirname;
const target = join(home, "dist");
const partial = join(home, `dist-${process.pid}`);
const sources = ["src", "index.html", "package.json", "build.ts"];
const worthCompressing = 1024;

if (!process.argv.includes("--if-stale") || (await isStale())) await makeFiles();

async function isStale(): Promise<boolean> {
  const built = await stat(join(target, "index.html")).catch(() => null);
  return built === null || built.mtimeMs < (await newestChange());
}

async function newestChange(): Promise<number> {
  const lists = await Promise.all(
    sources.map(async (name) => {
      const path = join(home, name);
      const below = await readdir(path, { recursive: true }).catch(() => []);
      return [path, ...below.map((entry) => join(path, entry))];
    }),
  );
  const times = await Promise.all(lists.flat().map(async (path) => (await stat(path)).mtimeMs));
  return Math.max(...times);
}

async function makeFiles(): Promise<void> {
  // Loaded only when they are needed: a start of the service with nothing to build is not slowed down.
  const [{ build }, { default: react }] = await Promise.all([import("vite"), import("@vitejs/plugin-react")]);
  await build({
    root: home,
    configFile: false,
    // Addresses are relative to the page's base, which the service writes: it may stand under a path.
    base: "./",
    logLevel: "warn",
    plugins: [react()],
    build: {
      outDir: partial,
      emptyOutDir: true,
      target: "es2023",
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
  });
  for (const entry of await readdir(partial, { recursive: true, withFileTypes: true })) {
    const isText = entry.isFile() && /\.(js|css|svg|json)$/.test(entry.name);
    if (isText) await compress(join(entry.parentPath, entry.name));
  }
  await putInPlace();
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path);
  if (bytes.byteLength < worthCompressing) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }));
  await writeFile(`${path}.gz`, await promisify(gzip)(bytes));
}

async function putInPlace(): Promise<void> {
  const previous = `${partial}-previous`;
  await rename(target, previous).catch(ignore("ENOENT"));
  // Another process may have been faster, with the same files.
  await rename(partial, target).catch(ignore("ENOTEMPTY", "EEXIST", "EPERM"));
  for (const folder of [previous, partial]) await rm(folder, { recursive: true, force: true });
}

function ignore(...codes: readonly string[]): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (error.code === undefined || !codes.includes(error.code)) throw error;
  };
}
