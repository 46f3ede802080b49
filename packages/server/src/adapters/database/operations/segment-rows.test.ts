import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

test("segments are inserted only by segment-rows.ts", async () => {
  const writes = /(?:insertInto|insertRows)\([^)]*"segment(?:s|_blobs|_documents)"/;
  const names = (await readdir(import.meta.dirname)).filter((name) => /^[a-z-]+\.ts$/.test(name));
  const writers: string[] = [];
  for (const name of names)
    if (writes.test(await readFile(join(import.meta.dirname, name), "utf8"))) writers.push(name);
  assert.deepEqual(writers, ["segment-rows.ts"]);
});
