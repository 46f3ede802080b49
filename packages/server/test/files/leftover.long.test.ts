import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { ProcessLimits, ProcessRequest } from "../../src/adapters/files/converting-process.ts";
import { waitFor } from "../support/ingestion.ts";
import { LIMITS, withFile } from "./convert.ts";

const CONVERTING = join(import.meta.dirname, "../../src/adapters/files/converting-process.ts");

/** A process that has ended may still be in the system's list. */
function runs(pid: number): boolean {
  const stat = `/proc/${pid}/stat`;
  return existsSync(stat) && !/\) [ZX] /.test(readFileSync(stat, "latin1"));
}

test(
  "a conversion that never ends does not outlive the service for long",
  { skip: process.platform !== "linux" },
  () =>
    withFile("x", async (path, folder) => {
      const textPath = join(folder, "text");
      const entry = join(import.meta.dirname, "looping-process.ts");
      const input = { name: "x", path, membersFolder: folder, ocrLanguages: [], limits: LIMITS };
      const request = JSON.stringify({ input, textPath, folder, entry } satisfies ProcessRequest);
      const limits = JSON.stringify({
        processorMs: 3_000,
        timeMs: 60_000,
        recognition: 1,
        heapBytes: 1e8,
        residentBytes: 1e9,
      } satisfies ProcessLimits);
      const code = `import { convertInProcess } from ${JSON.stringify(CONVERTING)};
      await convertInProcess(${request}, ${limits}, new AbortController().signal);`;
      const service = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: "ignore" });
      const pid = await waitFor("the conversion", async () =>
        existsSync(textPath) ? Number(readFileSync(textPath, "utf8")) || null : null,
      );
      service.kill("SIGKILL");
      await once(service, "close");
      assert.ok(runs(pid));
      await waitFor("the end of the conversion", async () => (runs(pid) ? null : true));
    }),
);
