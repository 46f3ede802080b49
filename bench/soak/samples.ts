/** Samples memory and disk usage, and judges whether they grow. */
import { readDiskUse, readMemory } from "../process-stats.ts";
import { quantile, round } from "../report.ts";
import { type Counts, readCounts } from "./database-view.ts";
import type { Subject } from "./subject.ts";

const EVERY_MS = 10_000;
const MIB = 1024 ** 2;
/** Allowed growth from the second to the last quarter of a run. Generous, as a leak over half an hour grows far more. */
const MAX_GROWTH = 1.5;

export interface Sample extends Counts {
  readonly seconds: number;
  readonly pid: number;
  readonly rssMiB: number;
  readonly diskMiB: number;
  readonly walMiB: number;
}

export interface Sampler {
  readonly samples: readonly Sample[];
  stop(): void;
}

export function startSampler(subject: Subject): Sampler {
  const samples: Sample[] = [];
  const began = performance.now();
  async function take(): Promise<void> {
    const pid = subject.current()?.pid;
    if (pid === undefined) return;
    const [memory, disk] = await Promise.all([readMemory(pid), readDiskUse(subject.dataDir)]);
    const counts = readCounts(subject.dataDir);
    if (memory === null || counts === null) return;
    samples.push({
      seconds: round((performance.now() - began) / 1000, 0),
      pid,
      rssMiB: round(memory.rssBytes / MIB, 0),
      diskMiB: round(disk.bytes / MIB, 1),
      walMiB: round(disk.walBytes / MIB, 1),
      ...counts,
    });
  }
  // Samples that fail because of a restart are skipped.
  const timer = setInterval(() => void take().catch(() => undefined), EVERY_MS);
  return { samples, stop: () => clearInterval(timer) };
}

interface Level {
  readonly secondQuarter: number;
  readonly lastQuarter: number;
  readonly growth: number;
}

export interface Flatness {
  readonly rssMiB: Level;
  readonly diskMiB: Level;
  readonly rssKiBPerLiveChunk: Level;
  readonly diskKiBPerLiveChunk: Level;
  readonly segments: Level;
  /** Memory of the longest-running process, in the first and in the second half of its samples. */
  readonly longestLife: { readonly seconds: number; readonly rssMiB: readonly [number, number] };
  readonly faults: readonly string[];
}

/** Compares medians of the second and the last quarter of the run. The first quarter is the warm-up. */
export function judgeFlatness(samples: readonly Sample[]): Flatness {
  const level = (pick: (sample: Sample) => number): Level => {
    const quarter = Math.floor(samples.length / 4);
    const secondQuarter = quantile(samples.slice(quarter, 2 * quarter).map(pick), 0.5);
    const lastQuarter = quantile(samples.slice(-quarter).map(pick), 0.5);
    return {
      secondQuarter: round(secondQuarter),
      lastQuarter: round(lastQuarter),
      growth: round(lastQuarter / secondQuarter),
    };
  };
  const perChunk = (pick: (sample: Sample) => number) =>
    level((sample) => (pick(sample) * 1024) / Math.max(1, sample.liveChunks));
  const levels = {
    rssMiB: level((sample) => sample.rssMiB),
    diskMiB: level((sample) => sample.diskMiB),
    rssKiBPerLiveChunk: perChunk((sample) => sample.rssMiB),
    diskKiBPerLiveChunk: perChunk((sample) => sample.diskMiB),
    segments: level((sample) => sample.segments),
  };
  const faults = (["rssMiB", "rssKiBPerLiveChunk", "diskKiBPerLiveChunk"] as const).flatMap((name) =>
    levels[name].growth > MAX_GROWTH ? [`${name} grew by a factor of ${levels[name].growth}`] : [],
  );
  return { ...levels, longestLife: longestLife(samples), faults };
}

function longestLife(samples: readonly Sample[]): Flatness["longestLife"] {
  const lives = [...Map.groupBy(samples, (sample) => sample.pid).values()];
  const [longest = []] = lives.sort((a, b) => b.length - a.length);
  const half = Math.floor(longest.length / 2);
  const middle = quantile(
    longest.slice(0, half).map((sample) => sample.rssMiB),
    0.5,
  );
  const end = quantile(
    longest.slice(half).map((sample) => sample.rssMiB),
    0.5,
  );
  const seconds = (longest.at(-1)?.seconds ?? 0) - (longest[0]?.seconds ?? 0);
  return { seconds, rssMiB: [middle, end] };
}
