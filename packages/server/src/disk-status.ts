/** Remembers a write that found the disk full: what only reads, as the check of the database, does not see it. */
import { isPaused } from "./domain/pause.ts";

export interface DiskStatus {
  foundFull(found: { readonly message: string; readonly at: number }): void;
  /** Something was written since. */
  wrote(): void;
  /** null when the last write that is known of found room, or when it is too long ago to say. */
  fault(now: number): string | null;
}

/** Without further writes. */
const FULL_DISK_MS = 60_000;

export function createDiskStatus(): DiskStatus {
  let full: { readonly message: string; readonly at: number } | null = null;
  return {
    foundFull(found) {
      full = found;
    },
    wrote() {
      full = null;
    },
    fault(now) {
      if (full === null) return null;
      return isPaused(now, { until: full.at + FULL_DISK_MS, lengthMs: FULL_DISK_MS }) ? full.message : null;
    },
  };
}
