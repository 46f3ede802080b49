import assert from "node:assert/strict";
import fs, { mkdir, symlink, truncate, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { test } from "node:test";
import { makeFolder } from "../../test/run-cli.ts";
import { type FileMemory, findDocuments } from "./find-documents.ts";

test("a folder gives its text files at any depth, without hidden ones and without following links to folders or out of the folder", async () => {
  const folder = await makeFolder();
  const elsewhere = await makeFolder();
  for (const name of ["a/b", ".git", "page.md"]) await mkdir(join(folder, name), { recursive: true });
  const files = ["z.md", "a/b/x.txt", "a/picture.png", ".git/y.md", ".hidden.md", "page.md/in.rst"];
  for (const name of files) await writeFile(join(folder, name), "A lamp was lit.");
  await writeFile(join(elsewhere, "out.md"), "A bell was rung.");
  await symlink(elsewhere, join(folder, "a/elsewhere"));
  await symlink("..", join(folder, "a/up"));
  await symlink(join(elsewhere, "out.md"), join(folder, "linked.md"));
  await symlink("z.md", join(folder, "within.md"));
  await symlink("nowhere", join(folder, "broken.md"));
  await symlink("nowhere", join(folder, "broken.png"));
  const options = { prefix: "", metadata: {}, stdin: { id: undefined, read: async () => "" } };
  const found = await Array.fromAsync(findDocuments([folder], options));
  assert.deepEqual(
    found.map((one) => ("reason" in one ? `${one.id} ${one.reason}` : one.id)),
    [
      "a/b/x.txt",
      "broken.md is a link to nothing",
      "linked.md is a link to a file outside the folder; name it itself to ingest it",
      "page.md/in.rst",
      "within.md",
      "z.md",
    ],
  );
  const named = await Array.fromAsync(findDocuments([join(folder, "linked.md")], options));
  assert.deepEqual(
    named.map((one) => "reason" in one),
    [false],
  );
});

test("a file or folder whose name is not UTF-8 is named among what is skipped", async () => {
  const folder = await makeFolder();
  const named = (bytes: string) => Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(bytes, "latin1")]);
  await writeFile(named("caf\xe9.md"), "A lamp was lit.");
  await mkdir(named("\xe9t\xe9"));
  await writeFile(join(folder, "z.md"), "A bell was rung.");
  const options = { prefix: "", metadata: {}, stdin: { id: undefined, read: async () => "" } };
  const found = await Array.fromAsync(findDocuments([folder], options));
  assert.deepEqual(
    found.map((one) => ("reason" in one ? `${one.id} ${one.reason}` : one.id)),
    [
      "caf\uFFFD.md has a name that is not UTF-8, so it cannot be opened",
      "z.md",
      "\uFFFDt\uFFFD has a name that is not UTF-8, so it cannot be opened",
    ],
  );
});

test("a file that cannot be looked at is named among what is skipped, so that it does not count as gone", async (t) => {
  const folder = await makeFolder();
  for (const name of ["a.md", "lines.jsonl", "z.md"]) await writeFile(join(folder, name), "A lamp was lit.");
  const { stat } = fs;
  t.mock.method(fs, "stat", async (path: string) => {
    if (!path.endsWith("a.md") && !path.endsWith(".jsonl")) return stat(path);
    throw Object.assign(new Error("A file server does not answer."), { code: "ESTALE" });
  });
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  const options = { prefix: "w/", metadata: {}, stdin: { id: undefined, read: async () => "" } };
  const found = await Array.fromAsync(findDocuments([folder], options));
  const reason = "cannot be looked at now (ESTALE)";
  assert.deepEqual(found.slice(0, 2), [
    { id: "w/a.md", reason },
    // Its documents have other ids than the file.
    { id: "w/lines.jsonl", reason, lineOf: "lines.jsonl" },
  ]);
  assert.equal(found[2]?.id, "w/z.md");
});

test("a file or folder that cannot be opened or read is named among what is skipped, and the others are found", async (t) => {
  const folder = await makeFolder();
  await mkdir(join(folder, "sub"));
  const files = ["a.md", "b.csv", "c.jsonl", "sub/d.md", "z.csv", "z.md"];
  for (const name of files) await writeFile(join(folder, name), '{"id": "one", "text": "A lamp was lit."}\n');
  const { open, readdir, readFile } = fs;
  const orFault = (call: (path: string, ...rest: never[]) => unknown) =>
    (async (path: string, ...rest: never[]) => {
      if (!/a\.md|b\.csv|c\.jsonl|sub$/.test(path)) return call(path, ...rest);
      throw Object.assign(new Error("Somebody else has it."), { code: "EBUSY", syscall: "open" });
    }) as never;
  t.mock.method(fs, "open", orFault(open as never));
  t.mock.method(fs, "readdir", orFault(readdir as never));
  t.mock.method(fs, "readFile", orFault(readFile as never));
  syncBuiltinESMExports();
  const reset = () => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  };
  t.after(reset);
  const memory: FileMemory = new Map();
  const stdin = { id: undefined, read: async () => "" };
  const find = () => Array.fromAsync(findDocuments([folder], { prefix: "w/", metadata: {}, stdin, memory }));
  const reason = "cannot be read now (EBUSY)";
  const found = await find();
  assert.deepEqual(found.slice(0, 4), [
    { id: "w/a.md", reason },
    { id: "w/b.csv", reason },
    { id: "w/c.jsonl", reason, lineOf: "c.jsonl" },
    { id: "w/sub", reason, isFolder: true },
  ]);
  assert.deepEqual(
    found.slice(4).map((one) => ["hash" in one, one.id]),
    [
      [true, "w/z.csv"],
      [true, "w/z.md"],
    ],
  );
  reset();
  const later = await find();
  assert.deepEqual(
    later.map((one) => ["hash" in one, one.id]),
    ["w/a.md", "w/b.csv", "w/one", "w/sub/d.md", "w/z.csv", "w/z.md"].map((id) => [true, id]),
  );
});

test("a folder also gives the files that the service turns into text, which change with their bytes and the metadata", async () => {
  const folder = await makeFolder();
  for (const name of ["a.PDF", "b.docx", "c.png", "d.md"]) await writeFile(join(folder, name), "A lamp.");
  const find = (metadata: Readonly<Record<string, string | number>> = {}) => {
    const stdin = { id: undefined, read: async () => "" };
    return Array.fromAsync(findDocuments([folder], { prefix: "x/", metadata, stdin }));
  };
  const [pdf, docx, text] = await find();
  assert.ok(pdf && docx && text && "path" in pdf && "path" in docx && "read" in text);
  assert.deepEqual([pdf.id, pdf.bytes, docx.id], ["x/a.PDF", 7, "x/b.docx"]);
  assert.equal(pdf.hash, docx.hash);
  const [labelled] = await find({ year: 1994 });
  await writeFile(join(folder, "a.PDF"), "A bell.");
  const [changed] = await find();
  assert.ok(labelled && changed && "hash" in labelled && "hash" in changed);
  assert.equal(new Set([pdf.hash, labelled.hash, changed.hash]).size, 3);
});

test("a text that is not in UTF-8, and lines that are rows of a table, are files that the service reads", async () => {
  const folder = await makeFolder();
  await writeFile(join(folder, "latin.txt"), Buffer.from("caf\xe9", "latin1"));
  await writeFile(join(folder, "rows.jsonl"), '\n{"crane": "K1", "driver": "Per Dahl"}\n{"crane": "K2"}\n');
  await writeFile(join(folder, "texts.jsonl"), '{"id": 1, "text": "A lamp."}\n{"crane": "K2"}\n');
  await writeFile(join(folder, "titled.jsonl"), '{"version": 1}\n[]\n \r\n{"id": 2, "text": "A bell."}\n');
  const options = { prefix: "x/", metadata: {}, stdin: { id: undefined, read: async () => "" } };
  const found = await Array.fromAsync(findDocuments([folder], options));
  assert.deepEqual(
    found.map((one) => [one.id, "path" in one ? "file" : "read" in one ? "text" : one.reason]),
    [
      ["x/latin.txt", "file"],
      ["x/rows.jsonl", "file"],
      ["x/1", "text"],
      ["texts.jsonl:2", "has no id, expected a member source_doc_id, id or _id"],
      ["titled.jsonl:1", "has no id, expected a member source_doc_id, id or _id"],
      ["titled.jsonl:2", "has no id, expected a member source_doc_id, id or _id"],
      ["x/2", "text"],
    ],
  );
});

test("a file that has no document, or too large a one, is not read again until it changes", async (t) => {
  const folder = await makeFolder();
  for (const name of ["empty.jsonl", "empty.md", "large.md"]) await writeFile(join(folder, name), "\n");
  await truncate(join(folder, "large.md"), 64 * 1024 * 1024 + 1);
  const stdin = { id: undefined, read: async () => "" };
  const memory: FileMemory = new Map();
  const find = () => Array.fromAsync(findDocuments([folder], { prefix: "w/", metadata: {}, stdin, memory }));
  const found = await find();
  assert.deepEqual(found, [
    { id: "w/empty.jsonl", reason: "is empty", lineOf: "empty.jsonl" },
    { id: "w/empty.md", reason: "is empty" },
    { id: "w/large.md", reason: "is larger than 64 MiB, the maximum that a service accepts" },
  ]);
  const calls = [t.mock.method(fs, "open"), t.mock.method(fs, "readFile")];
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  assert.deepEqual(await find(), found);
  assert.deepEqual(
    calls.map(({ mock }) => mock.callCount()),
    [0, 0],
  );
  await writeFile(join(folder, "empty.md"), "A lamp was lit.");
  const [, changed] = await find();
  assert.ok(changed !== undefined && "hash" in changed);
});

test("a file that is gone since a pattern matched it is not told as a link to nothing", async (t) => {
  const folder = await makeFolder();
  await writeFile(join(folder, "a.md"), "A lamp was lit.");
  await symlink("nowhere", join(folder, "broken.md"));
  t.mock.method(fs, "glob", async function* () {
    for (const name of ["a.md", "broken.md", "gone.md"]) yield join(folder, name);
  });
  const options = { prefix: "", metadata: {}, stdin: { id: undefined, read: async () => "" } };
  const found = await Array.fromAsync(findDocuments([join(folder, "*.md")], options));
  assert.deepEqual(
    found.map((one) => ["reason" in one ? one.reason : "", one.id.split("/").at(-1)]),
    [
      ["", "a.md"],
      ["is a link to nothing", "broken.md"],
    ],
  );
});
