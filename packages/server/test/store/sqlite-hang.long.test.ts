/** A thread of the embedded database that hangs takes the process with it: nobody can tell what it holds. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { openStore } from "../../src/adapters/database/open-store.ts";
import { watchDatabaseThreads } from "../../src/threads/database-threads.ts";
import { createTestThreads } from "../support/threads.ts";

for (const role of ["writer", "reader"] as const) {
  test(`a ${role} that hangs with a request of any thread ends the process, and what was committed is there after the next start`, async (context) => {
    const parent = mkdtempSync(join(tmpdir(), "kcs-sqlite-"));
    context.after(() => rmSync(parent, { recursive: true, force: true }));
    const dataDir = join(parent, "data");
    const child = spawn(process.execPath, [join(import.meta.dirname, "hang-child.ts"), dataDir, role], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    const lines = Array.fromAsync(createInterface({ input: child.stdout }));
    const logged = Array.fromAsync(createInterface({ input: child.stderr }));
    const [, signal] = await once(child, "exit");
    assert.equal(signal, "SIGKILL");
    assert.deepEqual(await lines, ["committed", "hangs"]);
    assert.deepEqual(
      (await logged).map((line) => JSON.parse(line)).map(({ msg, thread }) => [msg, thread]),
      [["thread_hung", role]],
    );
    const { store } = await openStore({ databaseUrl: null, dataDir });
    context.after(() => store.close());
    assert.equal(await store.readSetting({ name: "before" }), "the loop");
  });
}

test("requests without an answer are counted for each thread", async (context) => {
  const dataDir = mkdtempSync(join(tmpdir(), "kcs-sqlite-"));
  context.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const { deps, board } = createTestThreads();
  const { store } = await openStore({
    databaseUrl: null,
    dataDir,
    threads: watchDatabaseThreads(deps),
  });
  context.after(() => store.close());
  const pending = () => [board.read("writer", "pending"), board.read("reader", "pending")];
  const writes = ["a", "b"].map((name) => store.writeSetting({ name, value: "", onlyIfAbsent: false }));
  const ping = store.ping();
  assert.deepEqual(pending(), [2, 1]);
  await Promise.all([...writes, ping]);
  assert.deepEqual(pending(), [0, 0]);
});
