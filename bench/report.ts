/** Reports with everything needed to repeat a measurement: commit, date, machine, command and data. */
import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { dirname } from "node:path";

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly platform: string;
  readonly node: string;
  /** Load average of the last minute. If other processes used the machine, the figures are not reliable. */
  readonly loadBefore: number;
}

export interface Report<Result> {
  readonly command: string;
  readonly commit: string;
  /** Whether files differed from the commit. */
  readonly changed: boolean;
  readonly date: string;
  readonly machine: Machine;
  readonly data: Readonly<Record<string, string | number>>;
  readonly result: Result;
}

export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model ?? "unknown",
    cores: availableParallelism(),
    memoryGiB: round(totalmem() / 1024 ** 3, 1),
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
    loadBefore: round(loadavg()[0] ?? 0, 2),
  };
}

/** Prints the report and writes it to `file` if given. */
export async function publish<Result>(
  about: Pick<Report<Result>, "command" | "data" | "machine" | "result">,
  file: string | undefined,
): Promise<void> {
  const report: Report<Result> = {
    command: about.command,
    commit: git("rev-parse", "HEAD"),
    changed: git("status", "--porcelain", "--untracked-files=no") !== "",
    date: new Date().toISOString(),
    machine: about.machine,
    data: about.data,
    result: about.result,
  };
  const text = `${JSON.stringify(report, null, 2)}\n`;
  process.stdout.write(text);
  if (file === undefined) return;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
}

export function round(value: number, digits = 2): number {
  return Math.round(value * 10 ** digits) / 10 ** digits;
}

/** The quantile `at` (0…1) by nearest rank; NaN without values. */
export function quantile(values: readonly number[], at: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(at * sorted.length) - 1))] ?? Number.NaN;
}

export function timesOf(timesMs: readonly number[]) {
  return {
    p50: round(quantile(timesMs, 0.5), 1),
    p99: round(quantile(timesMs, 0.99), 1),
    max: round(quantile(timesMs, 1), 1),
  };
}

function git(...args: readonly string[]): string {
  try {
    return execFileSync("git", args, { encoding: "utf8" }).trim();
  } catch {
    return "unknown"; // Not a git repository.
  }
}
