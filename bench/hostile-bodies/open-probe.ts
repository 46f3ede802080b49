/** Reads from outside how long the service's main thread was held. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Hold } from "./main-thread-probe.ts";

export interface Probe {
  /** The longest hold since the last call. */
  read(): Promise<Hold>;
}

const PRELOAD = fileURLToPath(new URL("./main-thread-probe.ts", import.meta.url));

/** `env` is for the start of the service, whose process `open` takes then. */
export function prepareProbe() {
  const file = join(process.env["TMPDIR"] ?? "/tmp", `kcs-hold-${process.pid}.json`);
  return {
    env: { NODE_OPTIONS: `--import=${PRELOAD}`, MAIN_THREAD_PROBE_FILE: file },
    open: (pid: number) => openProbe(pid, file),
  };
}

function openProbe(pid: number, file: string): Probe {
  let readings = 0;
  return {
    async read() {
      readings++;
      process.kill(pid, "SIGUSR2");
      for (;;) {
        const text = await readFile(file, "utf8").catch(() => "{}");
        const hold = JSON.parse(text) as Partial<Hold>; // Written by the probe.
        if (hold.reading === readings) return { reading: readings, cpuMs: 0, delayMs: 0, ...hold };
        await sleep(1);
      }
    },
  };
}
