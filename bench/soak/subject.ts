/** The service under test: one data directory, consecutive processes, and requests that a kill may interrupt. */
import { openSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Ended, type StartedService, startService } from "../../evals/service.ts";

/** "lost": the connection broke, so the request may or may not have been carried out. */
export type Outcome<T> =
  | { readonly kind: "answered"; readonly status: number; readonly body: T }
  | { readonly kind: "lost" };

export interface Subject {
  /** Waits until the service is up, then sends the request. */
  request<T>(method: string, path: string, body?: unknown): Promise<Outcome<T>>;
  /** The running process; null during a restart. */
  current(): StartedService | null;
  /** Ends the process by the signal and starts the next one. */
  restart(
    signal: NodeJS.Signals,
  ): Promise<{ readonly ended: Ended; readonly stopMs: number; readonly startMs: number }>;
  end(): Promise<Ended>;
  readonly dataDir: string;
  /** The log of all processes. */
  readonly logFile: string;
}

const REQUEST_LIMIT_MS = 120_000;

export async function startSubject(): Promise<Subject> {
  const root = await mkdtemp(join(tmpdir(), "kcs-soak-"));
  const logFile = join(root, "service.log");
  const stderr = openSync(logFile, "a");
  const dataDir = join(root, "data");
  const key = `kcs_${"soak".repeat(10)}`;
  // The documented default of ten requests a minute would measure the limit, not the service.
  const start = () => startService({ dataDir, key, stderr, env: { KCS_INGEST_PER_MINUTE: "0" } });
  let service: StartedService | null = null;
  let up: Promise<StartedService> = start();
  service = await up;

  return {
    dataDir,
    logFile,
    current: () => service,
    async request<T>(method: string, path: string, body?: unknown) {
      const { baseUrl } = await up;
      return send<T>(`${baseUrl}/api/v1${path}`, { method, key, body });
    },
    async restart(signal) {
      const old = await up;
      const next = Promise.withResolvers<StartedService>();
      up = next.promise;
      service = null;
      const began = performance.now();
      const ended = await old.kill(signal);
      const stopMs = performance.now() - began;
      await start().then(next.resolve, next.reject);
      service = await up;
      return { ended, stopMs, startMs: service.startMs };
    },
    async end() {
      const old = await up;
      service = null;
      return old.kill("SIGTERM");
    },
  };
}

async function send<T>(
  url: string,
  { method, key, body }: { readonly method: string; readonly key: string; readonly body: unknown },
): Promise<Outcome<T>> {
  try {
    const response = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed = (text === "" ? null : JSON.parse(text)) as T; // The contract's tests check the shapes.
    return { kind: "answered", status: response.status, body: parsed };
  } catch (error) {
    if (error instanceof Error && error.name === "TimeoutError")
      throw new Error(`${method} ${url} was not answered in ${REQUEST_LIMIT_MS} ms.`);
    return { kind: "lost" };
  }
}
