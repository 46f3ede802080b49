/** A cache of replies in the database, so that repeated requests cost nothing. */
import type { ModelStore, ReplyKey } from "../../../ports/model-store.ts";

/** Limit of the compressed size in the database, for all accounts together. */
const MAX_BYTES = 256 * 1024 * 1024;
const MAX_ENTRIES = 200_000;
/** Longer replies are not cached. In UTF-16 code units. */
export const MAX_CACHED_LENGTH = 1024 * 1024;
const WRITES_PER_TRIM = 256;
/** The time of the last use is updated at most once in this period, so that most reads need no write. */
const TOUCH_AFTER_MS = 24 * 3_600_000;

export interface ReplyCache {
  find(key: ReplyKey): Promise<string | null>;
  /**
   * Call it after each reply that was written to the cache. Every `WRITES_PER_TRIM` calls it trims the cache.
   */
  onWrite(): Promise<void>;
}

export function createReplyCache(store: ModelStore, now: () => number): ReplyCache {
  // The first write trims, so that the cache stays bounded even if the service restarts often.
  let writes = WRITES_PER_TRIM - 1;
  return {
    async find(key) {
      const cached = await store.findModelReply(key);
      if (cached === null) return null;
      if (cached.usedAt < now() - TOUCH_AFTER_MS) await store.touchModelReply({ ...key, now: now() });
      return cached.text;
    },
    async onWrite() {
      writes += 1;
      if (writes < WRITES_PER_TRIM) return;
      writes = 0;
      await store.trimModelReplies({ maxBytes: MAX_BYTES, maxEntries: MAX_ENTRIES });
    },
  };
}
