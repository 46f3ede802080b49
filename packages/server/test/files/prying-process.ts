/** Tries, with the rights of a process that converts a file, what a file's author might want, and reports what succeeded. */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { Worker } from "node:worker_threads";

const TRIES: Readonly<Record<string, () => unknown>> = {
  "read a file": () => readFileSync("/etc/passwd"),
  "write a file": () => writeFileSync(`${import.meta.dirname}/written`, ""),
  "start a process": () => spawnSync(process.execPath, ["--version"]),
  "start a thread": () => new Worker("", { eval: true }),
  connect: () => once(connect(1, "127.0.0.1"), "connect"),
};

process.once("message", async () => {
  const succeeded = Object.keys(process.env).length === 0 ? [] : ["read the environment"];
  for (const [name, run] of Object.entries(TRIES)) {
    try {
      await run();
      succeeded.push(name);
    } catch (error) {
      // Any other fault would come from the machine, not from missing rights.
      const code = error instanceof Error && "code" in error ? error.code : error;
      if (code !== "ERR_ACCESS_DENIED") succeeded.push(`${name} (${code})`);
    }
  }
  process.send?.({ kind: "fault", message: `succeeded: ${succeeded.join(", ")}` }, () => process.exit());
});
process.send?.({ kind: "ready" });
