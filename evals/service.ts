/** Starts the service as a user does, with its own data directory; only port and key are configured. */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** How a process ended: with an exit code or by a signal. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface StartedService {
  readonly baseUrl: string;
  readonly key: string;
  readonly dataDir: string;
  readonly pid: number;
  /** From the start of the process until `/health` succeeds, and until `/ready` succeeds. */
  readonly healthMs: number;
  readonly startMs: number;
  kill(signal: NodeJS.Signals): Promise<Ended>;
  /** Ends the process and removes its data. */
  stop(): Promise<void>;
}

const MAIN = fileURLToPath(new URL("../packages/server/src/main.ts", import.meta.url));
/** Beside many other processes a start takes minutes. */
const START_LIMIT_MS = 5 * 60_000;
const POLL_MS = 20;

export async function startService(
  options: {
    dataDir?: string;
    key?: string;
    env?: Readonly<Record<string, string>>;
    /** A file descriptor for the logs. Default: this process's standard error */
    stderr?: number;
    /** The service's entry file. Default: this checkout's */
    main?: string;
  } = {},
): Promise<StartedService> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "kcs-eval-")));
  const key = options.key ?? `kcs_${randomBytes(24).toString("hex")}`;
  const port = await freePort();
  const began = performance.now();
  const { main = MAIN } = options;
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", main, "serve"], {
    env: {
      ...withoutOwnSettings(process.env),
      ...options.env,
      KCS_DATA_DIR: dataDir,
      KCS_PORT: String(port),
      KCS_DRAIN_SECONDS: "0",
      KCS_BOOTSTRAP_API_KEY: key,
    },
    stdio: ["ignore", "ignore", options.stderr ?? "inherit"],
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  const healthMs = (await waitUntilOk(`${baseUrl}/health`, child)) - began;
  const startMs = (await waitUntilOk(`${baseUrl}/ready`, child)) - began;
  return {
    baseUrl,
    key,
    dataDir,
    pid: child.pid ?? 0,
    healthMs,
    startMs,
    kill: (signal) => end(child, signal),
    async stop() {
      await end(child, "SIGTERM");
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function withoutOwnSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith("KCS_") && name !== "DATABASE_URL"),
  );
}

/** Resolves to the time of the first success, by `performance.now()`. */
async function waitUntilOk(url: string, child: ChildProcess): Promise<number> {
  const limit = performance.now() + START_LIMIT_MS;
  while (performance.now() < limit) {
    if (child.exitCode !== null) throw new Error(`The service ended with code ${child.exitCode}.`);
    const ok = await fetch(url).then(
      (response) => response.ok,
      () => false,
    );
    if (ok) return performance.now();
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  child.kill("SIGKILL"); // Otherwise it would outlive the program that started it.
  throw new Error("The service did not become ready within five minutes.");
}

function end(child: ChildProcess, signal: NodeJS.Signals): Promise<Ended> {
  if (child.exitCode !== null || child.signalCode !== null)
    return Promise.resolve({ code: child.exitCode, signal: child.signalCode });
  return new Promise((resolve) => {
    child.once("exit", (code, by) => resolve({ code, signal: by }));
    child.kill(signal);
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
