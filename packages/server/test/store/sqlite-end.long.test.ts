/** A thread of the embedded database that ends takes the process with it: no request would ever be answered again. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openStore } from "../../src/adapters/database/open-store.ts";

const LIMIT_MS = 60_000;

function makeFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "kcs-end-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function runChild(folder: string, role: string) {
  const args = [
    "--import",
    join(import.meta.dirname, "end-preload.ts"),
    join(import.meta.dirname, "end-child.ts"),
  ];
  const env = { ...process.env, TEST_ENDING_ROLE: role, TEST_ENDING_FILE: join(folder, "end") };
  const child = spawn(process.execPath, [...args, join(folder, "data")], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: LIMIT_MS,
  });
  const told = Array.fromAsync(child.stdout.setEncoding("utf8"));
  const faults = Array.fromAsync(child.stderr.setEncoding("utf8"));
  const [code, signal] = await once(child, "close");
  return { code, signal, told: (await told).join(""), faults: (await faults).join("") };
}

for (const role of ["writer", "reader"] as const) {
  test(`a ${role} that ends without an error ends the process with status 1, and what was committed is there after the next start`, async (context) => {
    const folder = makeFolder(context);
    const { code, signal, told, faults } = await runChild(folder, role);
    assert.deepEqual([code, signal, told], [1, null, "committed\n"], faults);
    assert.match(faults, new RegExp(`The database's ${role} thread has ended`));
    const { store } = await openStore({ databaseUrl: null, dataDir: join(folder, "data") });
    context.after(() => store.close());
    assert.equal(await store.readSetting({ name: "before" }), "the end");
  });

  test(`a start whose ${role} ends before it serves fails`, async (context) => {
    const folder = makeFolder(context);
    writeFileSync(join(folder, "end"), "");
    const { code, signal, told, faults } = await runChild(folder, role);
    assert.deepEqual([code, signal, told], [1, null, ""], faults);
    assert.match(faults, new RegExp(`The database's ${role} thread has ended`));
  });
}
