import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { test } from "node:test";

const docs = resolve(import.meta.dirname, "../docs");
const readPage = () => readFile(resolve(docs, "security.md"), "utf8");

/** A link to a file of tests or of the store's behaviours, and the parts of names behind it. */
const LINK =
  /\]\((\.\.\/(?:packages|scripts)\/[^)]+(?:\.test|\/behaviours\/[a-z-]+)\.ts)\)((?:,? "[^"]+")*)/g;

test("every test that docs/security.md names exists", async () => {
  const named = [...(await readPage()).matchAll(LINK)];
  assert.ok(named.length > 20);
  for (const [, path = "", parts = ""] of named) {
    const source = await readFile(resolve(docs, path), "utf8");
    // A long name, and that of a behaviour, has a line of its own.
    const names = source.split("\n").filter((line) => /^\s*(?:(?:test|it)\(|["`])/.test(line));
    assert.notEqual(parts, "", `${path} is named without a test in it`);
    for (const [, part = ""] of parts.matchAll(/"([^"]+)"/g)) {
      assert.ok(
        names.some((name) => name.includes(part)),
        `${path} has no test "${part}"`,
      );
    }
  }
});

test("every promise in docs/security.md names a test", async () => {
  const [, promises = ""] = (await readPage()).split("\n## Promises\n");
  const rows = promises
    .split("\n## ", 1)
    .join()
    .split("\n")
    .filter((line) => line.startsWith("| "));
  const kept = rows.filter((line) => line !== "| Promise | Test |");
  assert.ok(kept.length > 50);
  for (const row of kept) assert.match(row, new RegExp(LINK.source), row.slice(0, 100));
});
