import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { makeFolder } from "../../test/run-cli.ts";
import { findDocuments } from "./find-documents.ts";

test("a folder gives its text files at any depth, without hidden ones and without following links to folders", async () => {
  const folder = await makeFolder();
  const elsewhere = await makeFolder();
  for (const name of ["a/b", ".git", "page.md"]) await mkdir(join(folder, name), { recursive: true });
  const files = ["z.md", "a/b/x.txt", "a/picture.png", ".git/y.md", ".hidden.md", "page.md/in.rst"];
  for (const name of files) await writeFile(join(folder, name), "A lamp was lit.");
  await writeFile(join(elsewhere, "out.md"), "A bell was rung.");
  await symlink(elsewhere, join(folder, "a/elsewhere"));
  await symlink("..", join(folder, "a/up"));
  await symlink(join(elsewhere, "out.md"), join(folder, "linked.md"));
  await symlink("nowhere", join(folder, "broken.md"));
  const options = { prefix: "", metadata: {}, stdin: { id: undefined, read: async () => "" } };
  const found = await Array.fromAsync(findDocuments([folder], options));
  assert.deepEqual(
    found.map(({ id }) => id),
    ["a/b/x.txt", "linked.md", "page.md/in.rst", "z.md"],
  );
});
