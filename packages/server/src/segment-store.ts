/** The segment store of a process: opened with the service, watched for readiness and metrics. */
import { mkdir, rm } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { type AdoptedStore, openOutside } from "./adapters/segments/open-outside.ts";
import type { OutsideSegments } from "./adapters/segments/outside-segments.ts";
import { describePlace } from "./adapters/segments/settings.ts";
import { adoptStore, requireStore, SegmentStoreError } from "./adapters/segments/store-identity.ts";
import type { Config } from "./config.ts";
import { segmentCacheOf } from "./config-database.ts";
import type { Log } from "./ports/log.ts";
import { SEGMENT_STORE_SETTING } from "./ports/segment-objects.ts";
import type { Store } from "./ports/store.ts";

export interface SegmentStore {
  /** What threads open it with. */
  readonly adopted: AdoptedStore;
  /** Why it cannot be used; null when it can. */
  readonly fault: () => Promise<string | null>;
}

/** Of readiness and metrics, which ask more often. */
const CHECK_EVERY_MS = 5_000;
const CHECK_LIMIT_MS = 2_000;

/**
 * null where none is configured. @throws SegmentStoreError when the database has segments in another store, or in one while none is configured, or its folder cannot be made;
 * StoreUnavailableError when the store does not answer
 */
export async function openSegmentStore(
  config: Pick<Config, "segmentStore" | "dataDir">,
  store: Store,
  log: Log,
): Promise<SegmentStore | null> {
  const settings = config.segmentStore;
  // Copies of objects that no process will read any more.
  if (settings?.cache == null) await rm(segmentCacheOf(config.dataDir), { recursive: true, force: true });
  if (settings === null) {
    if (await store.hasSegmentObjects()) throw new SegmentStoreError(UNSET);
    return null;
  }
  const { place } = settings;
  // Later it is only missing where its disk is not mounted.
  if (place.kind === "folder" && (await store.readSetting({ name: SEGMENT_STORE_SETTING })) === null)
    await mkdir(place.path, { recursive: true, mode: 0o700 }).catch((cause: Error) => {
      throw new SegmentStoreError(`KCS_SEGMENT_STORE: the folder cannot be made: ${cause.message}`, {
        cause,
      });
    });
  const outside = await openOutside({ ...settings, storeId: "" });
  const storeId = await adoptStore(store, outside.objects);
  log.info("segment_store", { place: describePlace(place) });
  return { adopted: { ...settings, storeId }, fault: watchStore({ ...outside, storeId }) };
}

export const UNSET =
  "Segments of this database are in a segment store, but KCS_SEGMENT_STORE is not set. Set it as it was; or move all into a database without one: kcs-server export with the setting, then import without it.";

/** Whoever asks gets what the last look has found, and waits for the first one, or a late one, for two seconds. */
function watchStore(outside: OutsideSegments): () => Promise<string | null> {
  let last: { readonly fault: string | null; readonly at: number } | null = null;
  let looking: Promise<string | null> | null = null;
  const look = async () => {
    const fault = await requireStore(outside).then(
      () => null,
      (error: Error) => error.message,
    );
    last = { fault, at: performance.now() };
    looking = null;
    return fault;
  };
  return async () => {
    if (last !== null && performance.now() - last.at < CHECK_EVERY_MS) return last.fault;
    looking ??= look();
    const ended = new AbortController();
    const late = delay(CHECK_LIMIT_MS, LATE, { ref: false, signal: ended.signal }).catch(() => LATE);
    const fault = await Promise.race([looking, late]);
    ended.abort();
    return fault;
  };
}

const LATE = `The segment store (KCS_SEGMENT_STORE) has not answered for ${CHECK_LIMIT_MS / 1_000} seconds.`;
