/** Tells linear work from work that grows faster, by processor time of this thread at n and at 4n instead of a limit in seconds. */
import assert from "node:assert/strict";

/** The ratio of linear work is 4, that of quadratic work 16. */
const MAX_RATIO = 6;
/** Short runs are repeated for so long that single disturbances do not matter. */
const MIN_CPU_MS = 25;
/** Quadratic work is far above the limit in every try; linear work is above it only while other processes disturb the machine. */
const TRIES = 12;

/** Runs `work` on inputs of the size and of four times the size. @throws AssertionError when it grows faster than its input */
export async function assertLinear(
  name: string,
  size: number,
  work: (size: number) => unknown,
): Promise<void> {
  await work(size);
  await work(4 * size);
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < TRIES && least >= MAX_RATIO; attempt++) {
    const small = await meanCpuMs(() => work(size));
    least = Math.min(least, (await meanCpuMs(() => work(4 * size))) / small);
  }
  assert.ok(least < MAX_RATIO, `${name}: four times the input takes ${least.toFixed(1)} times the work`);
}

async function meanCpuMs(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  for (let runs = 1; ; runs++) {
    await work();
    const total = cpuMsSince(before);
    if (total >= MIN_CPU_MS) return total / runs;
  }
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
