/** Restarts the service repeatedly, three times in four with SIGKILL. */
import { setTimeout as sleep } from "node:timers/promises";
import { quantile, round } from "../report.ts";
import type { Random } from "./random.ts";
import type { Subject } from "./subject.ts";
import type { Tally } from "./tally.ts";

/** Timeout for the shutdown after SIGTERM. */
const STOP_LIMIT_MS = 10_000;
/** In the first part of each cycle the service is restarted often; in the rest it keeps running, so that leaks become visible. */
const CYCLE_MS = 300_000;
const STORM_MS = 150_000;
const BETWEEN_MS = { least: 2_000, most: 30_000 } as const;

export interface Chaos {
  /** Resolves after a running restart. */
  stop(): Promise<void>;
  report(): {
    kills: number;
    stops: number;
    stopSecondsMax: number;
    startSecondsMedian: number;
    startSecondsMax: number;
  };
}

export function startChaos(subject: Subject, random: Random, tally: Tally): Chaos {
  const stopping = new AbortController();
  const stopMs: number[] = [];
  const startMs: number[] = [];
  const began = performance.now();
  let kills = 0;

  async function once(): Promise<void> {
    const signal = random.chance(0.75) ? "SIGKILL" : "SIGTERM";
    const restarted = await subject.restart(signal);
    startMs.push(restarted.startMs);
    if (signal === "SIGKILL") {
      kills++;
      return;
    }
    stopMs.push(restarted.stopMs);
    if (restarted.stopMs > STOP_LIMIT_MS) tally.violate("stop", `took ${Math.round(restarted.stopMs)} ms`);
    if (restarted.ended.code !== 0) tally.violate("stop", `ended with ${JSON.stringify(restarted.ended)}`);
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const wait = random.integer(BETWEEN_MS.least, BETWEEN_MS.most);
      await sleep(wait, undefined, { signal: stopping.signal }).catch(() => undefined);
      const isStorm = (performance.now() - began) % CYCLE_MS < STORM_MS;
      if (!stopping.signal.aborted && isStorm) await once();
    }
  }

  const running = run();
  running.catch((error: unknown) => tally.violate("restart", String(error)));
  return {
    async stop() {
      stopping.abort();
      await running;
    },
    report: () => ({
      kills,
      stops: stopMs.length,
      stopSecondsMax: round(Math.max(0, ...stopMs) / 1000),
      startSecondsMedian: round(quantile(startMs, 0.5) / 1000),
      startSecondsMax: round(Math.max(0, ...startMs) / 1000),
    }),
  };
}
