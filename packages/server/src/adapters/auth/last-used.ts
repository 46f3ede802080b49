import type { Log } from "../../ports/log.ts";
import type { AccountStore } from "../../ports/store.ts";

const flushEveryMs = 10_000;
const maxPending = 10_000;

export interface LastUsed {
  record(keyId: string, at: number): void;
  /** Writes the pending uses. A failure is logged; the uses stay pending for the next flush. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Collects the last use of keys and writes it in batches, so that requests cause no writes. Sets no timer
 * while idle.
 */
export function createLastUsed(deps: { store: Pick<AccountStore, "touchApiKeys">; log: Log }): LastUsed {
  let pending = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    const batch = pending;
    if (batch.size === 0) return;
    pending = new Map();
    try {
      await deps.store.touchApiKeys({ uses: [...batch].map(([keyId, at]) => ({ keyId, at })) });
    } catch (error) {
      for (const [keyId, at] of batch)
        if (!pending.has(keyId) && pending.size < maxPending) pending.set(keyId, at);
      deps.log.warn("key_use_not_recorded", { keys: batch.size, error });
    }
  }

  function flush(): Promise<void> {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    writing = writing.then(write);
    return writing;
  }

  return {
    record(keyId, at) {
      if (pending.size < maxPending || pending.has(keyId)) pending.set(keyId, at);
      timer ??= setTimeout(() => void flush(), flushEveryMs).unref();
    },
    flush,
    close: flush,
  };
}
