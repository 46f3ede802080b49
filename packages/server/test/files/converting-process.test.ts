/** What a process that converts a file may do. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { convertInProcess } from "../../src/adapters/files/converting-process.ts";
import { isUnreadable, LIMITS, withFile } from "./convert.ts";

const CONVERTING = join(import.meta.dirname, "../../src/adapters/files/converting-process.ts");
const MIB = 1024 * 1024;
const limits = {
  ...{ processorMs: 30_000, timeMs: 60_000, recognition: 0 },
  ...{ heapBytes: 100 * MIB, residentBytes: 1_000 * MIB },
};

test("a process that cannot be started, for want of open files, leaves no timer and no listener", () =>
  withFile("x", async (path, folder) => {
    const input = { name: "x", path, membersFolder: folder, ocrLanguages: [], limits: LIMITS };
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
    const input = { name: "x", path, membersFolder: folder, ocrLanguages: [], limits: LIMITS };
    const entry = join(import.meta.dirname, "prying-process.ts");
    const request = { input, textPath: join(folder, "text"), folder, entry };
    return convertInProcess(request, limits, new AbortController().signal);
  });
  await assert.rejects(prying, /^Error: The file was not converted: succeeded:$/);
});

test("what a process sends is checked, and so is the length of the text that it wrote", async () => {
  const convert = (lie: string) =>
    withFile(lie, (path, folder) => {
      const input = {
        name: "x",
        path,
        membersFolder: folder,
        ocrLanguages: [],
        limits: { ...LIMITS, maxTextBytes: 1_000 },
      };
      const entry = join(import.meta.dirname, "lying-process.ts");
      const request = { input, textPath: join(folder, "text"), folder, entry };
      return convertInProcess(request, limits, new AbortController().signal);
    });
  assert.equal((await convert("none")).kind, "text");
  assert.equal((await convert("that drawings take too much")).kind, "text");
  await assert.rejects(convert("a text that is too long"), isUnreadable(/longer than 1000 bytes/));
  await assert.rejects(convert("pages that do not ascend"), isUnreadable(/sent no text/));
  await assert.rejects(
    convert("that it recognises without end"),
    isUnreadable(/took (?:longer|more) than 0 seconds/),
  );
});

test("a process that waits, as on a busy machine, is not ended by its limit of processor time; one that works is", {
  skip: process.platform !== "linux" && "Only Linux tells the time.",
}, async () => {
  const few = { ...limits, processorMs: 1_000, timeMs: 300_000 };
  const run = (entry: string) =>
    withFile("nothing for two seconds", (path, folder) => {
      const input = { name: "x", path, membersFolder: folder, ocrLanguages: [], limits: LIMITS };
      const request = {
        input,
        textPath: join(folder, "text"),
        folder,
        entry: join(import.meta.dirname, entry),
      };
      return convertInProcess(request, few, new AbortController().signal);
    });
  assert.equal((await run("lying-process.ts")).kind, "text");
  await assert.rejects(run("looping-process.ts"), isUnreadable(/took more than 1 seconds of processor time/));
});
