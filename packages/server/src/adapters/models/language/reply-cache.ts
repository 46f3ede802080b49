/** Replies that are kept in the database, so that what was asked before costs nothing. */
import type { ModelStore, ReplyKey } from "../../../ports/model-store.ts";

/** All accounts together; in the database, compressed. */
const MAX_BYTES = 256 * 1024 * 1024;
const MAX_ENTRIES = 200_000;
/** Longer ones are not kept. */
export const MAX_KEPT_LENGTH = 1024 * 1024;
const WRITES_PER_TRIM = 256;
/** A use is written down once in so long: reading must not cost a write each time. */
const TOUCH_AFTER_MS = 24 * 3_600_000;

export interface KeptReplies {
  find(place: ReplyKey): Promise<string | null>;
  /** To be called after each reply that was kept; now and then it makes room. */
  onKept(): Promise<void>;
}

export function createKeptReplies(store: ModelStore, now: () => number): KeptReplies {
  // The first write trims: what a service that is restarted often keeps is bounded too.
  let writes = WRITES_PER_TRIM - 1;
  return {
    async find(place) {
      const found = await store.findModelReply(place);
      if (found === null) return null;
      if (found.usedAt < now() - TOUCH_AFTER_MS) await store.touchModelReply({ ...place, now: now() });
      return found.text;
    },
    async onKept() {
      writes += 1;
      if (writes < WRITES_PER_TRIM) return;
      writes = 0;
      await store.trimModelReplies({ maxBytes: MAX_BYTES, maxEntries: MAX_ENTRIES });
    },
  };
}
