import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { glob, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const ROOT = join(import.meta.dirname, "../../..");
const folder = await mkdtemp(join(tmpdir(), "kcs-sdk-"));
after(() => rm(folder, { recursive: true, force: true }));

test("the built package is JavaScript with types that needs nothing but itself", async () => {
  await promisify(execFile)(process.execPath, [join(ROOT, "scripts/build-sdk.ts"), folder]);
  const files = await Array.fromAsync(glob("**/*.{js,d.ts}", { cwd: folder }));
  assert.ok(files.includes("index.js") && files.includes("index.d.ts"));
  for (const file of files) {
    const text = await readFile(join(folder, file), "utf8");
    for (const [, name = ""] of text.matchAll(/(?:from|import)\s*\(?"([^"]+)"/g)) {
      assert.match(name, /^\.{1,2}\/.*\.js$/, `${file} imports ${name}`);
    }
    assert.doesNotMatch(text, /\b(?:process|Buffer|require)\b[.(]/, `${file} needs Node`);
  }
  const { exports, ...manifest } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  assert.deepEqual(
    [manifest.dependencies, manifest.devDependencies, manifest.private],
    [undefined, undefined, undefined],
  );
  for (const { types, default: code } of Object.values<{ types: string; default: string }>(exports)) {
    assert.ok(files.includes(types.slice(2)));
    await import(pathToFileURL(join(folder, code)).href);
  }
});
