/** The published packages: what npm packs, checked by the tools that others check it with, installed and used. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { glob, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { checkInstalledPackages, installPackages } from "./installed-packages.ts";
import { packAll } from "./pack.ts";
import { readVersion } from "./versions.ts";

const root = resolve(import.meta.dirname, "../..");
const scratch = await mkdtemp(join(tmpdir(), "kcs-pack-"));
after(() => rm(scratch, { recursive: true, force: true }));
const version = await readVersion(root);
const archives = await packAll(root, join(scratch, "archives"), version);
const folder = join(scratch, "installed");
await mkdir(folder);
const installed = await installPackages(folder, archives, {});
const [sdk, cli] = ["sdk", "cli"].map((name) => join(folder, "node_modules/@kcs", name)) as [string, string];

test("publint and Are The Types Wrong find nothing", async () => {
  for (const archive of archives) {
    const bytes = new Uint8Array(await readFile(archive));
    const { messages } = await publint({ strict: true, pack: { tarball: bytes.buffer } });
    assert.deepEqual(messages, []);
    const analysis = await checkPackage(createPackageFromTarballData(bytes));
    // The command line has nothing to import, so it has no types.
    assert.equal(analysis.types !== false, analysis.packageName === "@kcs/sdk");
    assert.deepEqual("problems" in analysis ? analysis.problems : [], []);
  }
});

test("they contain neither sources nor tests, and need no other package", async () => {
  for (const [home, expected] of [
    [cli, /^node:/],
    [sdk, /^\.{1,2}\/.*\.js$/],
  ] as const) {
    const files = await Array.fromAsync(glob("**/*.*", { cwd: home }));
    const allowed = /^(package\.json|README\.md|dist\/(cjs\/package\.json|[\w/-]+(\.js|\.d\.ts)))$/;
    assert.deepEqual(
      files.filter((name) => !allowed.test(name)),
      [],
    );
    for (const file of files.filter((name) => /\.(js|d\.ts)$/.test(name))) {
      const text = await readFile(join(home, file), "utf8");
      const imported = [...text.matchAll(/^.*\b(?:from |import\(|require\()"([^"]+)"/gm)];
      for (const [, name = ""] of imported) assert.match(name, expected, `${file} imports ${name}`);
      if (home === sdk) assert.doesNotMatch(text, /\b(?:process|Buffer)\b[.(]/, `${file} needs Node`);
    }
    const manifest = JSON.parse(await readFile(join(home, "package.json"), "utf8"));
    assert.deepEqual([manifest.dependencies, manifest.private], [undefined, undefined]);
    await readFile(join(home, "LICENSE"));
  }
});

test("from an empty folder, kcs runs and the SDK is imported and required", async () => {
  await checkInstalledPackages(installed, version);
});

test("a strict compiler accepts programs that import or require the SDK", async () => {
  const program = `import { createClient, type QueryResult } from "@kcs/sdk";
import { createSearchTool, type SearchOutput } from "@kcs/sdk/ai";
import { createRetriever, type RetrievedDocument } from "@kcs/sdk/langchain";
const client = createClient({ apiKey: "kcs_x" });
export const result: Promise<QueryResult> = client.query("prj_1", { query: "Which lamp?" });
export const found: Promise<RetrievedDocument[]> = createRetriever({ client, projectId: "prj_1" })("Which lamp?");
export const said: Promise<SearchOutput> = createSearchTool({ client, projectId: "prj_1" }).execute({ question: "?" });
`;
  const files = ["program.mts", "program.cts"];
  for (const name of files) await writeFile(join(folder, name), program);
  const compiler = join(
    dirname(createRequire(import.meta.url).resolve("typescript/package.json")),
    "bin/tsc",
  );
  const options = ["--strict", "--noEmit", "--module", "nodenext", "--lib", "es2022,dom,dom.asynciterable"];
  const args = [compiler, ...options, "--types", "", ...files];
  await promisify(execFile)(process.execPath, args, { cwd: folder }).catch((error: { stdout?: string }) =>
    assert.fail(error.stdout),
  );
});
