/** A lane: a process that runs test files one after another, started again after a file that breaks or blocks it. */
import { type ChildProcess, spawn } from "node:child_process";
import { join, relative } from "node:path";
import { createFileReport, type FileResult, type TestResult } from "./file-report.ts";
import type { FromLane, ToLane } from "./lane-messages.ts";

export interface Lane {
  /** Never rejects: whatever goes wrong is a failure of the file. */
  run(file: string): Promise<FileResult>;
  /** Closes what the files share; null unless that fails. The next file starts another process. */
  end(): Promise<FileResult | null>;
  kill(): void;
}

export interface LaneOptions {
  readonly root: string;
  readonly testLimitMs: number;
  /** Guards against what a test's own timeout cannot stop, such as an endless loop. */
  readonly fileLimitMs: number;
  readonly env: NodeJS.ProcessEnv;
}

const OUTPUT_LIMIT = 64 * 1024;
/** A process that needs longer to close what its files share is killed, and that is a failure. */
const END_LIMIT_MS = 30_000;

interface Running {
  readonly child: ChildProcess;
  /** How the process ended, in words. */
  readonly ended: Promise<string>;
  output: string;
  /** Whether a file of this process has failed; node:test then ends the process with code 1. */
  hasFailure: boolean;
}

export function createLane(options: LaneOptions): Lane {
  const { root, fileLimitMs } = options;
  let current: Running | null = null;

  return {
    async run(file) {
      const began = performance.now();
      const report = createFileReport(relative(root, file));
      current ??= startProcess(options);
      const running = current;
      running.output = "";
      const crash = await runFile(running, { file, fileLimitMs, add: report.add });
      if (crash !== null) current = null;
      const ending = { output: running.output, durationMs: performance.now() - began };
      const result = report.end(crash === null ? ending : { ...ending, crash });
      if (result.failed > 0) running.hasFailure = true;
      return result;
    },
    async end() {
      const running = current;
      current = null;
      return running === null ? null : endProcess(running);
    },
    kill() {
      current?.child.kill("SIGKILL");
    },
  };
}

function startProcess({ root, testLimitMs, env }: LaneOptions): Running {
  const args = [
    // Tests leave much garbage that is soon dead: with less room its collection takes a tenth of the time.
    "--max-semi-space-size=64",
    "--disable-warning=ExperimentalWarning",
    `--test-timeout=${testLimitMs}`,
    `--test-reporter=${join(import.meta.dirname, "lane-reporter.ts")}`,
    "--test-reporter-destination=stdout",
    join(import.meta.dirname, "lane-process.ts"),
  ];
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "pipe", "pipe", "ipc"] });
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(`its process could not be started: ${error.message}`));
    child.once("close", (code, signal) =>
      resolve(signal === null ? `its process ended with code ${code}` : `its process was ended by ${signal}`),
    );
  });
  const running: Running = { child, ended, output: "", hasFailure: false };
  const record = (part: Buffer) => {
    running.output = (running.output + part.toString()).slice(-OUTPUT_LIMIT);
  };
  child.stdout?.on("data", record);
  child.stderr?.on("data", record);
  return running;
}

/** Resolves to null when the file is done, else to the reason why its process did not finish it. */
async function runFile(
  { child, ended }: Running,
  input: {
    readonly file: string;
    readonly fileLimitMs: number;
    readonly add: (result: TestResult) => void;
  },
): Promise<string | null> {
  let timer: NodeJS.Timeout | undefined;
  let onMessage: (message: FromLane) => void = () => undefined;
  const done = new Promise<null>((resolve) => {
    onMessage = (message) => {
      if (message.kind === "result") input.add(message.result);
      else resolve(null);
    };
  });
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => {
      child.kill("SIGKILL");
      resolve(`did not end within ${input.fileLimitMs / 1000} s`);
    }, input.fileLimitMs);
  });
  child.on("message", onMessage);
  send(child, { kind: "run", file: input.file });
  try {
    return await Promise.race([done, late, ended]);
  } finally {
    clearTimeout(timer);
    child.removeListener("message", onMessage);
  }
}

async function endProcess(running: Running): Promise<FileResult | null> {
  const { child, ended } = running;
  const began = performance.now();
  running.output = "";
  const timer = setTimeout(() => child.kill("SIGKILL"), END_LIMIT_MS);
  send(child, { kind: "end" });
  const crash = await ended;
  clearTimeout(timer);
  // Code 1 without a failed test means an error that was thrown after its test had ended.
  if (child.exitCode === 0 || (child.exitCode === 1 && running.hasFailure)) return null;
  const report = createFileReport("the end of a process that ran test files");
  return report.end({ output: running.output, durationMs: performance.now() - began, crash });
}

function send(child: ChildProcess, message: ToLane): void {
  if (child.connected) child.send(message);
}
