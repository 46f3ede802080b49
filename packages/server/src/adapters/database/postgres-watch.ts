/** Cuts connections to PostgreSQL that do not answer: the server is stopped or frozen, or the network between has forgotten them. */
import { Client, type ClientBase, type Pool } from "pg";
import { CarefulClient } from "./postgres-client.ts";

/** Longer than almost every statement takes. While one takes longer, a connection asks for something as often. */
const SUSPICIOUS_MS = 3_000;
const CHECK_MS = 1_000;
const PROBE_MS = 5_000;
/** What the server needs at most to report that it has ended a statement at its limit. */
const GRACE_MS = 5_000;

export interface WatchTimes {
  readonly suspiciousMs: number;
  readonly checkMs: number;
  readonly probeMs: number;
  readonly graceMs: number;
}

export const usualWatch: WatchTimes = {
  ...{ suspiciousMs: SUSPICIOUS_MS, checkMs: CHECK_MS, probeMs: PROBE_MS, graceMs: GRACE_MS },
};

/** What runs on a connection that is in use. */
interface Running {
  /** Start of the last statement. */
  since: number;
  /** The server's own limit of that statement. */
  limitMs: number;
}

/**
 * The server's limits of statements do not help where the server does not run, and TCP waits for a quarter of an hour, or for ever where
 * something between forgets the connection. So
 * - while a statement runs for some seconds, a new connection asks every few seconds whether the server answers anything; if not, all connections in use
 *   are cut;
 * - a connection whose statement has run for longer than the server allows is cut in any case.
 * What runs on a connection that is cut fails as it does when a connection is lost. A slow server that answers is left alone. `limitOf`: the
 * limit that a statement sets for those after it, null where it sets none.
 */
export function watchServer(
  pool: Pool,
  options: {
    readonly databaseUrl: string;
    readonly limitMs: number;
    readonly limitOf: (statement: string) => number | null;
    readonly times: WatchTimes;
  },
): void {
  const { databaseUrl, limitMs, limitOf, times } = options;
  const inUse = new Map<ClientBase, Running>();
  let timer: NodeJS.Timeout | undefined;
  let isProbing = false;
  let answeredAt = Number.NEGATIVE_INFINITY;

  async function check(): Promise<void> {
    const now = performance.now();
    const [...running] = inUse;
    for (const [client, { since, limitMs: allowed }] of running)
      if (now - since > allowed + times.graceMs) cut(client);
    const isSuspicious = running.some(([, { since }]) => now - since > times.suspiciousMs);
    if (isProbing || !isSuspicious || now - answeredAt < times.suspiciousMs) return;
    isProbing = true;
    const answers = await doesAnswer(databaseUrl, times.probeMs);
    isProbing = false;
    if (answers) answeredAt = performance.now();
    // Where another statement has begun meanwhile, the one before has been answered.
    for (const [client, { since }] of answers ? [] : running)
      if (inUse.get(client)?.since === since) cut(client);
  }

  const end = (client: ClientBase) => {
    inUse.delete(client);
    if (inUse.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  pool.on("connect", (client) => {
    onStatement(client, (statement) => {
      const running = inUse.get(client);
      if (running === undefined) return;
      running.since = performance.now();
      running.limitMs = limitOf(statement) ?? running.limitMs;
    });
  });
  pool.on("acquire", (client) => {
    inUse.set(client, { since: performance.now(), limitMs });
    timer ??= setInterval(() => void check(), times.checkMs).unref();
  });
  pool.on("release", (_error, client) => end(client));
  pool.on("remove", end);
}

/** Calls the listener with each statement of the client when it is sent. */
function onStatement(client: ClientBase, listener: (statement: string) => void): void {
  const query = client.query.bind(client) as (...given: readonly unknown[]) => unknown;
  const told = (...given: readonly unknown[]) => {
    listener(typeof given[0] === "string" ? given[0] : "");
    return query(...given);
  };
  client.query = told as typeof client.query; // The same function, of all its forms.
}

/** `end` would wait for the answers to statements that have been sent. */
export function cut(client: ClientBase): void {
  if (client instanceof Client) client.connection.stream.destroy();
}

/** A refusal of the login or of the statement counts, too. A login alone does not: a pooler takes it while the server behind it does not run. */
async function doesAnswer(databaseUrl: string, limitMs: number): Promise<boolean> {
  const client = new CarefulClient({
    connectionString: databaseUrl,
    application_name: "knowledge-context-service",
    connectionTimeoutMillis: limitMs,
  });
  client.on("error", () => {});
  const late = setTimeout(() => cut(client), limitMs);
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch (error) {
    return isFromServer(error);
  } finally {
    clearTimeout(late);
    void client.end().catch(() => undefined);
  }
}

/** Errors of the server have a severity. */
function isFromServer(error: unknown): boolean {
  return error instanceof Error && "severity" in error;
}
