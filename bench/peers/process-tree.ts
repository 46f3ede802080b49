/** Memory and processor time of a process and all that it has started. */
import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { readCpuSeconds } from "../process-stats.ts";

const SAMPLE_MS = 250;
const KIB_PER_MIB = 1024;

/** The process and its descendants; only those that still run. */
async function listTree(pid: number): Promise<readonly number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => null);
  if (threads === null) return [];
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, "utf8").catch(() => "")),
  );
  const children = lists.flatMap((list) => list.split(" ").filter(Boolean).map(Number));
  return [pid, ...(await Promise.all(children.map(listTree))).flat()];
}

/** Proportional set size: a page that several processes share counts for each in part. */
async function readPssMiB(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8").catch(() => "");
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) / KIB_PER_MIB;
}

async function sumOfTree(pid: number, read: (pid: number) => Promise<number | null>): Promise<number> {
  const values = await Promise.all((await listTree(pid)).map(read));
  return values.reduce<number>((sum, value) => sum + (value ?? 0), 0);
}

/** Of the process and all that it has started, in whole MiB; NaN without `/proc`. */
export async function readTreePssMiB(pid: number): Promise<number> {
  const pss = await sumOfTree(pid, readPssMiB);
  return pss > 0 ? Math.round(pss) : Number.NaN;
}

export const readTreeCpuSeconds = (pid: number) => sumOfTree(pid, readCpuSeconds);

/** Samples until `stop`, which resolves to the most that the whole tree had at one time; NaN without `/proc`. */
export function watchPeakMiB(pid: number): { stop(): Promise<number> } {
  let peak = 0;
  const stopping = new AbortController();
  const sampling = (async () => {
    while (!stopping.signal.aborted) {
      peak = Math.max(peak, await sumOfTree(pid, readPssMiB));
      await sleep(SAMPLE_MS, null, { signal: stopping.signal }).catch(() => null);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await sampling;
      return peak > 0 ? Math.round(peak) : Number.NaN;
    },
  };
}
