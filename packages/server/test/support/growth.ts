/** Tells linear work from work that grows faster, without a limit in seconds. */

const RUNS = 2;

/**
 * How many times as much CPU time the work takes for an input of four times the size: about 4 if it is linear, 16 if it is
 * quadratic. The work should take 50 ms for the size, so that noise does not matter.
 */
export function growth(size: number, work: (size: number) => void): number {
  work(size); // Compiles the code.
  const least = (each: number) => Math.min(...Array.from({ length: RUNS }, () => cpuMs(() => work(each))));
  return least(4 * size) / least(size);
}

function cpuMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
