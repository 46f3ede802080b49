/** What a process that converts a file may do. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { convertInProcess } from "../../src/adapters/files/converting-process.ts";
import { LIMITS, withFile } from "./convert.ts";

const CONVERTING = join(import.meta.dirname, "../../src/adapters/files/converting-process.ts");
const MIB = 1024 * 1024;
const limits = { timeMs: 60_000, heapBytes: 100 * MIB, residentBytes: 1_000 * MIB };

test("a process that cannot be started, for want of open files, leaves no timer and no listener", () =>
  withFile("x", async (path, folder) => {
    const input = { name: "x", path, membersFolder: folder, limits: LIMITS };
    const request = JSON.stringify({ input, textPath: join(folder, "text"), folder });
    const code = `
      import { getEventListeners } from "node:events";
      import { openSync } from "node:fs";
      import { convertInProcess } from ${JSON.stringify(CONVERTING)};
      const { signal } = new AbortController();
      const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
      process.stdout.write("");
      try { for (;;) openSync("/dev/null"); } catch {}
      const error = await convertInProcess(${request}, ${JSON.stringify(limits)}, signal).catch((error) => error);
      console.log(error.code, getEventListeners(signal, "abort").length, timers());
      process.exit();`;
    const few = ["-c", 'ulimit -n 64; exec "$@"', "sh", process.execPath, "--input-type=module", "-e", code];
    const { stdout } = await promisify(execFile)("/bin/sh", few);
    assert.equal(stdout, "EMFILE 0 0\n");
  }));

test("a process may not read another file, write elsewhere, start processes or threads, connect, or see keys", async () => {
  const prying = withFile("x", (path, folder) => {
    const input = { name: "x", path, membersFolder: folder, limits: LIMITS };
    const entry = join(import.meta.dirname, "prying-process.ts");
    const request = { input, textPath: join(folder, "text"), folder, entry };
    return convertInProcess(request, limits, new AbortController().signal);
  });
  await assert.rejects(prying, /^Error: The file was not converted: succeeded: $/);
});
