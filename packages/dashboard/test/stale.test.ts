import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { isStale } from "../stale.ts";

test("a build is stale when a source is newer, also one of the packages that the pages import from", async (t) => {
  const packages = mkdtempSync(join(tmpdir(), "kcs-stale-"));
  t.after(() => rmSync(packages, { recursive: true }));
  const home = join(packages, "dashboard");
  const write = (path: string, second: number) => {
    const at = join(packages, path);
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, "");
    utimesSync(at, second, second);
    utimesSync(dirname(at), 1, 1);
  };
  write("dashboard/src/main.tsx", 100);
  assert.equal(await isStale(home), true, "nothing is built");
  write("dashboard/dist/index.html", 200);
  assert.equal(await isStale(home), false);
  for (const path of ["dashboard/src/main.tsx", "contract/src/ontology-formats.ts", "sdk/src/index.ts"]) {
    write(path, 300);
    assert.equal(await isStale(home), true, path);
    write(path, 100);
    assert.equal(await isStale(home), false, path);
  }
});
