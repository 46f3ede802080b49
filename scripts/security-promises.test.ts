import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { test } from "node:test";

const docs = resolve(import.meta.dirname, "../docs");

test("every test that docs/security.md names exists", async () => {
  const page = await readFile(resolve(docs, "security.md"), "utf8");
  const named = [...page.matchAll(/\]\((\.\.\/(?:packages|scripts)\/[^)]+\.test\.ts)\)((?:,? "[^"]+")+)/g)];
  assert.ok(named.length > 20);
  for (const [, path = "", parts = ""] of named) {
    const source = await readFile(resolve(docs, path), "utf8");
    const names = source.split("\n").filter((line) => /^\s*(?:test|it)\(/.test(line));
    for (const [, part = ""] of parts.matchAll(/"([^"]+)"/g)) {
      assert.ok(
        names.some((name) => name.includes(part)),
        `${path} has no test "${part}"`,
      );
    }
  }
});
