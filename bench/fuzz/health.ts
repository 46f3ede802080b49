/** Measures `GET /health` in a thread of its own. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { HealthReading, HealthThreadData } from "./health-thread.ts";

export interface HealthProbe {
  /** What came since the last call. */
  read(): Promise<HealthReading>;
  stop(): Promise<void>;
}

const EVERY_MS = 100;

export function startHealthProbe(baseUrl: string): HealthProbe {
  const data: HealthThreadData = { url: `${baseUrl}/health`, everyMs: EVERY_MS };
  const thread = new Worker(new URL("./health-thread.ts", import.meta.url), { workerData: data });
  return {
    async read() {
      thread.postMessage("read");
      const [reading] = await once(thread, "message");
      return reading as HealthReading; // The only message that the thread sends.
    },
    async stop() {
      await thread.terminate();
    },
  };
}
