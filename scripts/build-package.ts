/**
 * `build-package.ts sdk|cli [FOLDER]`: what npm publishes of a package, in its `dist` or in another folder. `npm pack` and
 * `npm publish` run it first (`prepack`).
 */
import { spawnSync } from "node:child_process";
import { copyFile, glob, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { build } from "vite";

const root = resolve(import.meta.dirname, "..");
const builds: Readonly<Record<string, (folder: string) => Promise<void>>> = { sdk: buildSdk, cli: buildCli };

async function main([name = "", folder]: readonly string[]): Promise<number> {
  const buildPackage = builds[name];
  if (buildPackage === undefined) {
    process.stderr.write("Usage: build-package.ts sdk|cli [FOLDER]\n");
    return 2;
  }
  const home = join(root, "packages", name);
  const target = resolve(folder ?? join(home, "dist"));
  await rm(target, { recursive: true, force: true });
  await buildPackage(target);
  if (folder === undefined) await copyFile(join(root, "LICENSE"), join(home, "LICENSE"));
  return 0;
}

/** Modules and their types, for `import` and, in `cjs`, for `require`. */
async function buildSdk(folder: string): Promise<void> {
  const commonjs = join(folder, "cjs");
  compileSdk("--outDir", folder);
  const asCommonjs = [
    "--module",
    "commonjs",
    "--moduleResolution",
    "bundler",
    "--verbatimModuleSyntax",
    "false",
  ];
  compileSdk("--outDir", commonjs, ...asCommonjs);
  await writeFile(join(commonjs, "package.json"), '{ "type": "commonjs" }\n');
  // The compiler renames the imports in JavaScript only; in declarations they would still name the sources.
  for await (const name of glob("**/*.d.ts", { cwd: folder })) {
    const path = join(folder, name);
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replace(/((?:from |import\()"\.{1,2}\/[^"]*)\.ts"/g, '$1.js"'));
  }
}

function compileSdk(...options: readonly string[]): void {
  const typescript = dirname(createRequire(import.meta.url).resolve("typescript/package.json"));
  const project = join(root, "packages/sdk/tsconfig.build.json");
  const args = [join(typescript, "bin/tsc"), "-p", project, ...options];
  if (spawnSync(process.execPath, args, { stdio: "inherit" }).status !== 0) {
    throw new Error("The SDK does not compile.");
  }
}

/** One file that contains the SDK, so that the command needs no other package. */
async function buildCli(folder: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: "warn",
    ssr: { noExternal: true },
    build: {
      ssr: join(root, "packages/cli/src/main.ts"),
      outDir: folder,
      target: "node20.3",
      rolldownOptions: { output: { entryFileNames: "kcs.js", banner: "#!/usr/bin/env node" } },
    },
  });
}

process.exitCode = await main(process.argv.slice(2));
