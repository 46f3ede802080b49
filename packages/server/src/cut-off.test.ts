import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { it } from "node:test";

/** A thread that is in native code for longer than a test may take. */
const script = `
  import { Worker } from "node:worker_threads";
  import { cutOff } from ${JSON.stringify(new URL("./cut-off.ts", import.meta.url).href)};
  const busy = 'const { parentPort } = require("node:worker_threads"); parentPort.postMessage("busy");'
    + 'require("node:crypto").pbkdf2Sync("a", "b", 5e7, 64, "sha512");';
  new Worker(busy, { eval: true, execArgv: [] }).once("message", () => cutOff({ warn: (event) => console.log(event) }, 1));
`;

it("a stop that is cut off does not wait for a thread in native code", { timeout: 60_000 }, async () => {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script]);
  const said: string[] = [];
  child.stdout.on("data", (chunk: Buffer) => void said.push(chunk.toString()));
  const [, signal] = await once(child, "close");
  assert.equal(signal, "SIGKILL");
  assert.match(said.join(""), /stop_cut_off/);
});
