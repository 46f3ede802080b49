/** A thread that asks for `/health`, so that what the sender of the requests computes does not count. */
import { Agent, get } from "node:http";
import { parentPort, workerData } from "node:worker_threads";

export interface HealthThreadData {
  readonly url: string;
  readonly everyMs: number;
}

/** What came since the last time. */
export interface HealthReading {
  readonly timesMs: readonly number[];
  /** Statuses other than 200, and errors. */
  readonly faults: readonly string[];
}

const LIMIT_MS = 10_000;

function watchHealth({ url, everyMs }: HealthThreadData): () => HealthReading {
  const agent = new Agent({ keepAlive: true });
  let timesMs: number[] = [];
  let faults: string[] = [];
  function ask(): void {
    const began = performance.now();
    const sent = get(url, { agent, timeout: LIMIT_MS }, (response) => {
      response.resume();
      if (response.statusCode !== 200) faults.push(`status ${response.statusCode}`);
      response.once("end", () => timesMs.push(performance.now() - began));
    });
    sent.once("timeout", () => sent.destroy(new Error(`no answer in ${LIMIT_MS} ms`)));
    sent.once("error", (error) => faults.push(error.message));
  }
  setInterval(ask, everyMs);
  return () => {
    const reading = { timesMs, faults };
    timesMs = [];
    faults = [];
    return reading;
  };
}

const port = parentPort;
if (port !== null) {
  const read = watchHealth(workerData as HealthThreadData); // Set by `startHealthProbe`.
  port.on("message", () => port.postMessage(read()));
}
