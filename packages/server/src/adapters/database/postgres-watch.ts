/** Notices a PostgreSQL server that keeps its connections but does not answer: stopped, frozen, or cut off by the network. */
import { Client, type ClientBase, type Pool } from "pg";

/** Longer than almost every statement takes. A transaction that is in use for longer costs one more connection for a moment. */
const SUSPICIOUS_MS = 3_000;
const CHECK_MS = 1_000;
const PROBE_MS = 5_000;

export interface WatchTimes {
  readonly suspiciousMs: number;
  readonly checkMs: number;
  readonly probeMs: number;
}

const usualTimes: WatchTimes = { suspiciousMs: SUSPICIOUS_MS, checkMs: CHECK_MS, probeMs: PROBE_MS };

/**
 * The server's own limits of statements do not help where the server does not run, and TCP waits for a quarter of an hour. So where a connection
 * of the pool has been in use for some seconds, a new one asks whether the server answers anything. If not, all connections in use are cut, and
 * what runs on them fails as it does when a connection is lost. A slow server that answers is left alone.
 */
export function watchServer(pool: Pool, databaseUrl: string, times: WatchTimes = usualTimes): void {
  const since = new Map<ClientBase, number>();
  let timer: NodeJS.Timeout | undefined;
  let isProbing = false;

  async function check(): Promise<void> {
    const oldest = Math.min(...since.values());
    if (isProbing || performance.now() - oldest < times.suspiciousMs) return;
    isProbing = true;
    const suspected = [...since.keys()];
    const answers = await doesAnswer(databaseUrl, times.probeMs);
    isProbing = false;
    // Those that were given back meanwhile have answered.
    for (const client of answers ? [] : suspected) if (since.has(client)) cut(client);
  }

  const end = (client: ClientBase) => {
    since.delete(client);
    if (since.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  pool.on("acquire", (client) => {
    since.set(client, performance.now());
    timer ??= setInterval(() => void check(), times.checkMs).unref();
  });
  pool.on("release", (_error, client) => end(client));
  pool.on("remove", end);
}

/** With a query, `end` does not wait for its answer. */
function cut(client: ClientBase): void {
  if (client instanceof Client) void client.end().catch(() => undefined);
}

/** Any answer counts, also a refusal: only a server that runs can give one. */
async function doesAnswer(databaseUrl: string, limitMs: number): Promise<boolean> {
  const client = new Client({
    connectionString: databaseUrl,
    application_name: "knowledge-context-service",
    connectionTimeoutMillis: limitMs,
    query_timeout: limitMs,
  });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch (error) {
    return isFromServer(error);
  } finally {
    void client.end().catch(() => undefined);
  }
}

/** Errors of the server have a severity. */
function isFromServer(error: unknown): boolean {
  return error instanceof Error && "severity" in error;
}
