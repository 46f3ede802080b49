/** What a process that converts a file may do. */
import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { convertInProcess } from "../../src/adapters/files/converting-process.ts";
import { LIMITS, withFile } from "./convert.ts";

const MIB = 1024 * 1024;
const limits = { timeMs: 60_000, heapBytes: 100 * MIB, residentBytes: 1_000 * MIB };

test("a process that cannot be started leaves no timer and no listener", async () => {
  const { signal } = new AbortController();
  const { execPath } = process;
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
  const timersBefore = timers();
  process.execPath = "/no/such/program";
  try {
    const converting = withFile("x", (path, folder) => {
      const input = { name: "x", path, membersFolder: folder, limits: LIMITS };
      return convertInProcess({ input, textPath: join(folder, "text"), folder }, limits, signal);
    });
    await assert.rejects(converting, /ENOENT/);
  } finally {
    process.execPath = execPath;
  }
  assert.deepEqual([getEventListeners(signal, "abort").length, timers()], [0, timersBefore]);
});

test("a process may not read another file, write elsewhere, start processes or threads, connect, or see keys", async () => {
  const prying = withFile("x", (path, folder) => {
    const input = { name: "x", path, membersFolder: folder, limits: LIMITS };
    const entry = join(import.meta.dirname, "prying-process.ts");
    const request = { input, textPath: join(folder, "text"), folder, entry };
    return convertInProcess(request, limits, new AbortController().signal);
  });
  await assert.rejects(prying, /^Error: The file was not converted: succeeded: $/);
});
