/** Memory, processor time and disk space that a process uses. */
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const KIB = 1024;
const IDLE_SECONDS = 60;

export interface Memory {
  readonly rssBytes: number;
  /** The maximum so far. */
  readonly peakRssBytes: number;
}

/** null when there is no `/proc` or the process has ended. */
export async function readMemory(pid: number): Promise<Memory | null> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => null);
  if (status === null) return null;
  const kibibytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0);
  return { rssBytes: kibibytes("VmRSS") * KIB, peakRssBytes: kibibytes("VmHWM") * KIB };
}

/** Whole mebibytes; NaN where they cannot be read. */
export async function readMiB(pid: number, which: keyof Memory): Promise<number> {
  const memory = await readMemory(pid);
  return Math.round((memory?.[which] ?? Number.NaN) / KIB ** 2);
}

/** The least resident memory while nothing is sent: threads that are started on demand end after half a minute. */
export async function readIdleMiB(pid: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let second = 0; second < IDLE_SECONDS; second++) {
    await sleep(1_000);
    least = Math.min(least, await readMiB(pid, "rssBytes"));
  }
  return least;
}

/** Processor time of a process so far, in seconds, including threads that have ended; null without `/proc`. */
export async function readCpuSeconds(pid: number): Promise<number | null> {
  const line = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => null);
  if (line === null) return null;
  const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
  // Fields 14 and 15 of proc(5): user and system time in hundredths of a second.
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

export interface DiskUse {
  readonly bytes: number;
  /** The part of `bytes` that is the write-ahead log. */
  readonly walBytes: number;
}

/** Size of the data directory without the model's file, which does not depend on the data. Ignores files that disappear. */
export async function readDiskUse(dataDir: string): Promise<DiskUse> {
  let bytes = 0;
  let walBytes = 0;
  for (const name of await readdir(dataDir)) {
    const file = await stat(join(dataDir, name)).catch(() => null);
    if (file === null || !file.isFile()) continue;
    bytes += file.size;
    if (name.endsWith("-wal")) walBytes += file.size;
  }
  return { bytes, walBytes };
}
