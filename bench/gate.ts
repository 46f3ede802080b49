/** Times `.ci/run` over and over in a fresh clone: seconds of the whole and of each part, and every test that failed. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { describeMachine, publish, round } from "./report.ts";

const root = resolve(import.meta.dirname, "..");

interface Run {
  readonly seconds: number;
  readonly loadBefore: number;
  /** Seconds from the first start of a file of the part to the last end; parts overlap at their ends. */
  readonly parts: Readonly<Record<string, number>>;
  readonly closingLine: string;
  readonly failures: readonly string[];
}

const { values, positionals } = parseArgs({
  options: { runs: { type: "string", default: "10" } },
  allowPositionals: true,
});
const machine = describeMachine();
const runs: Run[] = [];
for (let number = 0; number < Number(values.runs); number++) {
  const run = timeGate();
  runs.push(run);
  process.stderr.write(`${number + 1}: ${run.seconds} s, ${run.closingLine} ${run.failures.join("; ")}\n`);
}
const seconds = runs.map((run) => run.seconds).sort((a, b) => a - b);
await publish(
  {
    command: `node bench/gate.ts --runs ${values.runs}`,
    data: {},
    machine,
    result: {
      minSeconds: seconds[0],
      medianSeconds: seconds[Math.floor(seconds.length / 2)],
      maxSeconds: seconds.at(-1),
      failedRuns: runs.filter(({ failures }) => failures.length > 0).length,
      runs,
    },
  },
  positionals[0],
);

/** Packages come from npm's cache and Chromium is installed, as on a machine that has run the gate before. */
function timeGate(): Run {
  const folder = mkdtempSync(join(tmpdir(), "kcs-gate-"));
  try {
    const clone = join(folder, "clone");
    execFileSync("git", ["clone", "--quiet", root, clone]);
    const loadBefore = round(loadavg()[0] ?? 0, 2);
    const began = performance.now();
    const { stdout } = spawnSync("bash", [".ci/run"], { cwd: clone, encoding: "utf8", maxBuffer: 1 << 28 });
    // What failed and why, for whoever watches; the result keeps the names.
    for (const [block] of stdout.matchAll(/^\[\d+\/\d+\] ✖[\s\S]*?(?=^\[\d+\/\d+\] )/gm))
      process.stderr.write(block);
    const parts = [...stdout.matchAll(/^(unit|store|service|process|dashboard): ([\d.]+) s$/gm)];
    return {
      seconds: round((performance.now() - began) / 1000, 1),
      loadBefore,
      parts: Object.fromEntries(parts.map(([, part = "", taken]) => [part, Number(taken)])),
      closingLine: stdout.trimEnd().split("\n").at(-1) ?? "",
      failures: [...stdout.matchAll(/^ {2}✖ (.*)$/gm)].map(([, name = ""]) => name),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
