/**
 * Builds the dashboard into `dist`, which the service serves.
 *
 *   node build.ts [--if-stale]
 *
 * With `--if-stale` it builds only if `dist` is missing or older than its sources. Each text file of at least 1 KiB gets
 * compressed versions (.br, .gz). The folder is built under another name and then renamed, so that the service never
 * serves an incomplete build.
 */
import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Plugin } from "vite";
import { isStale } from "./stale.ts";

const home = import.meta.dirname;
const target = join(home, "dist");
const partial = join(home, `dist-${process.pid}`);
const minCompressedBytes = 1024;

/** The words of the controls in other languages: the pages are in English, and so are these then. */
const englishOnly: Plugin = {
  name: "english-only",
  enforce: "pre",
  load: (id) =>
    /[\\/]intl[\\/](?:\w+[\\/])?(?!en-US)[a-z]{2}-[A-Z]{2}\.m?js$/.test(id)
      ? 'export { default } from "./en-US.mjs"'
      : undefined,
};

if (!process.argv.includes("--if-stale") || (await isStale())) await buildFiles();

async function buildFiles(): Promise<void> {
  // Imported only for a build, so that they do not slow down a start of the service that has nothing to build.
  const [{ build }, { default: react }] = await Promise.all([import("vite"), import("@vitejs/plugin-react")]);
  await build({
    root: home,
    configFile: false,
    // URLs are relative to the page's base, which the service writes, because it may be served under a path prefix.
    base: "./",
    logLevel: "warn",
    plugins: [react(), englishOnly],
    build: {
      outDir: partial,
      emptyOutDir: true,
      target: "es2023",
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      // pdf.js is larger, and loaded only where a PDF is looked at.
      chunkSizeWarningLimit: 2_000,
      // The API reference, which is no part of the build, names the font, too.
      rolldownOptions: {
        output: {
          assetFileNames: ({ names }) =>
            names.some((name) => name.endsWith(".woff2"))
              ? "assets/[name][extname]"
              : "assets/[name]-[hash][extname]",
        },
      },
    },
  });
  for (const entry of await readdir(partial, { recursive: true, withFileTypes: true })) {
    const isText = entry.isFile() && /\.(js|css|svg|json)$/.test(entry.name);
    if (isText) await compress(join(entry.parentPath, entry.name));
  }
  await replaceTarget();
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path);
  if (bytes.byteLength < minCompressedBytes) return;
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }));
  await writeFile(`${path}.gz`, await promisify(gzip)(bytes));
}

async function replaceTarget(): Promise<void> {
  const previous = `${partial}-previous`;
  await rename(target, previous).catch(ignore("ENOENT"));
  // Another process may have finished the same build first.
  await rename(partial, target).catch(ignore("ENOTEMPTY", "EEXIST", "EPERM"));
  for (const folder of [previous, partial]) await rm(folder, { recursive: true, force: true });
}

function ignore(...codes: readonly string[]): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (error.code === undefined || !codes.includes(error.code)) throw error;
  };
}
