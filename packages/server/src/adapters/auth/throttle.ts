const maxEntries = 20_000;

/** A limit of attempts per key. */
export interface Throttle {
  /** Counts one attempt. Returns 0 if it is allowed, else the seconds to wait. */
  attempt(input: { key: string; max: number; windowSeconds: number }): number;
}

interface Window {
  readonly count: number;
  readonly endsAt: number;
}

/**
 * Fixed windows in memory, so limits apply per process. Keeps the `maxEntries` keys with the latest allowed
 * attempts: a flood of addresses evicts older ones, and memory stays bounded.
 */
export function createThrottle(now: () => number = Date.now): Throttle {
  const windows = new Map<string, Window>();

  return {
    attempt({ key, max, windowSeconds }) {
      const at = now();
      const known = windows.get(key);
      const window =
        // A window that ends later than a new one was begun before the clock was set back.
        known !== undefined && at < known.endsAt && known.endsAt - at <= windowSeconds * 1000
          ? known
          : { count: 0, endsAt: at + windowSeconds * 1000 };
      if (window.count >= max) return Math.max(1, Math.ceil((window.endsAt - at) / 1000));
      windows.delete(key);
      windows.set(key, { count: window.count + 1, endsAt: window.endsAt });
      if (windows.size > maxEntries) {
        const [oldest] = windows.keys();
        if (oldest !== undefined) windows.delete(oldest);
      }
      return 0;
    },
  };
}
