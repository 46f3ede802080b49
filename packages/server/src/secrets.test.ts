import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { hasSecret, readOrCreateSecret } from "./secrets.ts";

const folders: string[] = [];
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "kcs-secret-"));
  folders.push(folder);
  return folder;
}

test("the secret is made once, readable by its owner only, and the same ever after", async () => {
  const folder = await newFolder();
  const made = await Promise.all([1, 2, 3].map(() => readOrCreateSecret(folder)));
  assert.equal(new Set(made).size, 1);
  assert.match(made[0] ?? "", /^[0-9a-f]{64}$/);
  assert.equal(await readOrCreateSecret(folder), made[0]);
  assert.equal((await stat(join(folder, "secret"))).mode & 0o777, 0o600);
});

test("two folders have different secrets", async () => {
  assert.notEqual(await readOrCreateSecret(await newFolder()), await readOrCreateSecret(await newFolder()));
});

test("an emptied secret is refused and not used", async () => {
  const folder = await newFolder();
  await writeFile(join(folder, "secret"), "");
  await assert.rejects(readOrCreateSecret(folder), /damaged/);
});

test("a folder in the place of the secret is told in words", async () => {
  const folder = await newFolder();
  await mkdir(join(folder, "secret"));
  await assert.rejects(
    readOrCreateSecret(folder),
    /secret is a folder, but must be a file\. Move the folder away\./,
  );
  assert.equal(hasSecret(folder), false);
});
