import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { test } from "node:test";

/** Every write to it fails like one to a full disk; Linux has it. */
const FULL_DISK = "/dev/full";
const LOG = new URL("./log.ts", import.meta.url).href;
const WRITER = `
  import { createLog } from ${JSON.stringify(LOG)};
  const log = createLog("info");
  for (let line = 0; line < 1_000; line++) log.info("line", { padding: "x".repeat(5_000) });
  process.stdout.write("wrote");
`;

test("a log on a full disk fails nothing", { skip: !existsSync(FULL_DISK) }, async () => {
  const disk = await open(FULL_DISK, "w");
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "--input-type=module-typescript", "--eval", WRITER],
    { stdio: ["ignore", "pipe", disk.fd] },
  );
  const written = text(child.stdout ?? assert.fail());
  const [code] = (await once(child, "exit")) as [number | null];
  await disk.close();
  assert.deepEqual([await written, code], ["wrote", 0]);
});
