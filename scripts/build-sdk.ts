/** `npm run build:sdk [-- FOLDER]`: the SDK as JavaScript with types, a package ready to be published. */
import { spawnSync } from "node:child_process";
import { copyFile, glob, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const sdk = join(root, "packages/sdk");

async function main(folder: string): Promise<number> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const compiler = join(
    dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
    "bin/tsc",
  );
  const args = [compiler, "-p", join(sdk, "tsconfig.build.json"), "--outDir", folder];
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
  if (status !== 0) return 1;
  await nameCompiledFiles(folder);
  await writeFile(join(folder, "package.json"), `${JSON.stringify(await manifest(), null, 2)}\n`);
  await copyFile(join(sdk, "README.md"), join(folder, "README.md"));
  await copyFile(join(root, "LICENSE"), join(folder, "LICENSE"));
  process.stdout.write(`built ${folder}\n`);
  return 0;
}

/** The compiler does so in JavaScript alone: declarations would go on naming the sources. */
async function nameCompiledFiles(folder: string): Promise<void> {
  for await (const name of glob("**/*.d.ts", { cwd: folder })) {
    const path = join(folder, name);
    const text = await readFile(path, "utf8");
    await writeFile(
      path,
      text
        .replace(/(from "\.{1,2}\/[^"]*)\.ts"/g, '$1.js"')
        .replace(/(import\("\.{1,2}\/[^"]*)\.ts"/g, '$1.js"'),
    );
  }
}

/** The source's, with the compiled files in place of the sources, and nothing that only the workspace needs. */
async function manifest(): Promise<object> {
  const source = JSON.parse(await readFile(join(sdk, "package.json"), "utf8")) as {
    readonly exports: Readonly<Record<string, string>>;
  } & Readonly<Record<string, unknown>>;
  const { private: _private, devDependencies: _development, exports, ...rest } = source;
  const compiled = Object.entries(exports).map(([name, path]) => {
    const stem = path.replace("./src/", "./").replace(/\.ts$/, "");
    return [name, { types: `${stem}.d.ts`, default: `${stem}.js` }];
  });
  return { ...rest, exports: Object.fromEntries(compiled) };
}

const [folder = join(sdk, "dist")] = process.argv.slice(2);
process.exitCode = await main(resolve(folder));
