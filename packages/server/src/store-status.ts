/** Remembers what requests and jobs found of the database that its check does not see, because it only reads a little. */
import { isPaused } from "./domain/pause.ts";
import type { StoreUnavailableError } from "./ports/store.ts";

export type StoreFault = Pick<StoreUnavailableError, "reason" | "message">;

export interface StoreStatus {
  /** Counted by reason; a full disk and a damaged database are remembered. */
  failed(fault: StoreFault, at: number): void;
  /** Something was written since. */
  wrote(): void;
  /** Damage; or that the disk is full, unless the last write that is known of found room, or is too long ago to say. */
  fault(now: number): string | null;
  readonly failedCalls: ReadonlyMap<StoreFault["reason"], number>;
}

/** Without further writes. */
const FULL_DISK_MS = 60_000;

export function createStoreStatus(): StoreStatus {
  let full: { readonly message: string; readonly at: number } | null = null;
  /** Stays until the next start: nothing repairs the file while the service uses it. */
  let damage: string | null = null;
  const failedCalls = new Map<StoreFault["reason"], number>();
  return {
    failedCalls,
    failed({ reason, message }, at) {
      failedCalls.set(reason, (failedCalls.get(reason) ?? 0) + 1);
      if (reason === "disk_full") full = { message, at };
      if (reason === "damaged") damage = message;
    },
    wrote() {
      full = null;
    },
    fault(now) {
      if (damage !== null || full === null) return damage;
      return isPaused(now, { until: full.at + FULL_DISK_MS, lengthMs: FULL_DISK_MS }) ? full.message : null;
    },
  };
}
