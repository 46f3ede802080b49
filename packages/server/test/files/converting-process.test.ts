/** What a process that converts a file may do. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { convertInProcess } from "../../src/adapters/files/converting-process.ts";
import { LIMITS, withFile } from "./convert.ts";

test("a process may not read another file, write elsewhere, start processes or threads, connect, or see keys", async () => {
  const MIB = 1024 * 1024;
  const limits = { timeMs: 60_000, heapBytes: 100 * MIB, residentBytes: 1_000 * MIB };
  const prying = withFile("x", (path, folder) => {
    const input = { name: "x", path, membersFolder: folder, limits: LIMITS };
    const entry = join(import.meta.dirname, "prying-process.ts");
    const request = { input, textPath: join(folder, "text"), folder, entry };
    return convertInProcess(request, limits, new AbortController().signal);
  });
  await assert.rejects(prying, /^Error: The file was not converted: succeeded: $/);
});
