import assert from "node:assert/strict";
import { test } from "node:test";
import { readFiles } from "./read-files.ts";

async function isSentAsText(content: string, name = "notes"): Promise<boolean> {
  const { texts, others } = await readFiles([{ name, file: new File([content], name) }]);
  assert.equal(texts.length + others.length, 1);
  return texts.length === 1;
}

test("what is a file of a format by its first characters is left to the service, also where all of it is ASCII", async () => {
  assert.equal(await isSentAsText("%PDF-1.4\n1 0 obj\n<< >>\nendobj", "report.txt"), false);
  assert.equal(await isSentAsText("From a mail program\n%PDF-1.4\n1 0 obj"), false);
  assert.equal(await isSentAsText("PK\x03\x04 and more"), false);
  assert.equal(await isSentAsText("{\\rtf1\\ansi The boats}"), false);
  assert.equal(await isSentAsText("\ufeff\n<!DOCTYPE html><p>The boats</p>", "page.txt"), false);
});

test("a text is sent as it is, also one that writes about formats", async () => {
  assert.equal(await isSentAsText("PKs are keys of tables. {braces} <p>"), true);
  assert.equal(await isSentAsText(`${"A long text. ".repeat(100)} A PDF begins with %PDF-1.4.`), true);
});

test("more files than a page can hold are refused before one is read", async () => {
  const unread = { name: "a", file: { slice: assert.fail } as unknown as File };
  await assert.rejects(readFiles(Array(10_001).fill(unread)), /^Error: At most 10,000 files at once\./);
});
