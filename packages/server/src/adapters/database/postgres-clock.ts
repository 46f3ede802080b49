/** The server's clock: leases, rates and retries of several processes are kept by one clock, whatever those of their machines show. */

/** Machines whose clocks are kept by NTP differ by less; then each uses its own. */
const TOLERATED_MS = 1_000;
const REFRESH_MS = 60_000;

export interface ServerClock {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  stop(): void;
}

/**
 * Asks the server now and every minute. Where it does not answer, the difference that was known last is kept. `readServer`: milliseconds since 1970
 * there. @throws what the first question throws
 */
export async function createServerClock(
  readServer: () => Promise<number>,
  local: () => number = Date.now,
): Promise<ServerClock> {
  let difference = 0;
  async function refresh(): Promise<void> {
    const before = local();
    const server = await readServer();
    const after = local();
    // The server read its clock somewhere between.
    const measured = server - (before + after) / 2;
    const tolerated = TOLERATED_MS + (after - before) / 2;
    if (Math.abs(measured - difference) > tolerated)
      difference = Math.abs(measured) > tolerated ? measured : 0;
  }
  await refresh();
  const timer = setInterval(() => void refresh().catch(() => undefined), REFRESH_MS).unref();
  return { now: () => Math.round(local() + difference), stop: () => clearInterval(timer) };
}
