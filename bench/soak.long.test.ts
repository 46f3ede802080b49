/** A short soak: ingests, questions and kills at random for a minute, then everything is compared with a fresh ingest. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";

const LIMIT_MS = 10 * 60_000;

test("a minute of kills and questions violates nothing", { timeout: LIMIT_MS }, () => {
  const script = join(import.meta.dirname, "soak.ts");
  const args = [script, "--minutes", "1", "--seed", "13"];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    timeout: LIMIT_MS,
  });
  assert.equal(status, 0, `${stdout.slice(-4_000)}\n${stderr.slice(-4_000)}`);
});
