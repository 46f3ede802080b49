/** A store whose new segments have their bytes in the segment store: an object is written before the transaction that makes it visible. */
import { hash } from "node:crypto";
import { DamagedIndexError, type SegmentKey } from "../../domain/index-damage.ts";
import type { SegmentBytes, SegmentObject } from "../../ports/segment-objects.ts";
import type { Store } from "../../ports/store.ts";
import type { DiskCache } from "./disk-cache.ts";
import type { PatientObjects } from "./patient-objects.ts";
import { requireStore } from "./store-identity.ts";

export interface OutsideSegments {
  readonly objects: PatientObjects;
  readonly cache: DiskCache | null;
  /** Of the store that has the segments of this database. */
  readonly storeId: string;
}

/**
 * An object that no segment has is kept for so long: one that is being written, which takes minutes at most, and one whose segment was
 * removed, which an export may still read.
 */
export const KEPT_MS = 60 * 60_000;
/** An object whose removal has failed is tried again after this time. */
const AGAIN_MS = 5 * 60_000;
const REMOVED_PER_STEP = 32;
const REMOVED_AT_ONCE = 8;

/** The same store, which also reads segments outside. */
export function readOutside<S extends Pick<Store, "readSegment" | "findSegmentObject">>(
  store: S,
  outside: OutsideSegments,
): S {
  return {
    ...store,
    async readSegment(key: SegmentKey) {
      const object = await store.findSegmentObject(key);
      return object === null ? store.readSegment(key) : readObject(key, object, outside);
    },
  };
}

/** null where there is none: the segment was merged or removed since, or is damaged, which the caller finds out. */
async function readObject(
  key: SegmentKey,
  object: SegmentObject,
  outside: OutsideSegments,
): Promise<Uint8Array | null> {
  const { objects, cache } = outside;
  const copy = (await cache?.read(object)) ?? null;
  if (copy !== null && isWhole(copy, object)) return copy;
  const bytes = await readTwice(objects, object);
  if (bytes === null) {
    // A folder that is not mounted has no objects at all.
    await requireStore(outside);
    return null;
  }
  if (!isWhole(bytes, object))
    throw new DamagedIndexError(key, new Error("its object in the segment store is not what was written"));
  await cache?.write(object.key, bytes);
  return bytes;
}

/** What is there, as it was written if it can be had. */
async function readTwice(objects: PatientObjects, object: SegmentObject): Promise<Uint8Array | null> {
  const bytes = await objects.read(object.key, object.byteLength);
  // It may have been altered on its way.
  return bytes === null || isWhole(bytes, object) ? bytes : objects.read(object.key, object.byteLength);
}

/** null where it is missing, or not what was written. */
export async function readWhole(objects: PatientObjects, object: SegmentObject): Promise<Uint8Array | null> {
  const bytes = await readTwice(objects, object);
  return bytes !== null && isWhole(bytes, object) ? bytes : null;
}

function isWhole(bytes: Uint8Array, object: SegmentObject): boolean {
  return bytes.byteLength === object.byteLength && hashOf(bytes) === object.hash;
}

function hashOf(bytes: Uint8Array): string {
  return hash("sha256", bytes, "hex");
}

/** The same store, which also writes segments outside, and removes objects that no segment has. */
export function writeOutside(
  store: Store,
  outside: OutsideSegments,
  deps: { readonly now: () => number; readonly newToken: () => string; readonly keptMs?: number },
): Store {
  const { objects, cache, storeId } = outside;
  const { keptMs = KEPT_MS } = deps;

  /** null when the project does not exist any more. */
  async function upload(projectId: string, bytes: SegmentBytes): Promise<SegmentObject | null> {
    if (!(bytes instanceof Uint8Array)) return bytes;
    const removeAt = deps.now() + keptMs;
    const reserved = await store.reserveSegment({ projectId, storeId, token: deps.newToken(), removeAt });
    if (reserved === null) return null;
    const object = { ...reserved, byteLength: bytes.byteLength, hash: hashOf(bytes) };
    // What is written to a mount point without its disk is out of sight once the disk is back.
    await requireStore(outside);
    await objects.write(object.key, bytes, object.hash);
    await cache?.write(object.key, bytes);
    return object;
  }

  /** True when more may be left. @throws StoreUnavailableError when some cannot be removed, after all others were */
  async function removeObjects(now: number): Promise<boolean> {
    const claim = { now, keptMs, again: now + AGAIN_MS, limit: REMOVED_PER_STEP };
    const claimed = await store.claimObjects(claim);
    const failed: PromiseRejectedResult[] = [];
    for (let from = 0; from < claimed.length; from += REMOVED_AT_ONCE) {
      const part = claimed.slice(from, from + REMOVED_AT_ONCE);
      const removals = await Promise.allSettled(
        part.map(async (object) => {
          await objects.remove(object.key);
          await cache?.remove(object.key);
          return object;
        }),
      );
      const removed = removals.flatMap((removal) => (removal.status === "fulfilled" ? removal.value : []));
      // Where a folder is not mounted, all objects seem to be removed already.
      await requireStore(outside);
      await store.forgetObjects({ objects: removed });
      failed.push(...removals.filter((removal) => removal.status === "rejected"));
    }
    if (failed[0] !== undefined) throw failed[0].reason;
    return claimed.length === REMOVED_PER_STEP;
  }

  return {
    ...readOutside(store, outside),
    async commitBatch(input) {
      if (input.segment === null) return store.commitBatch(input);
      const segment = await upload(input.projectId, input.segment);
      return segment === null ? "lease_lost" : store.commitBatch({ ...input, segment });
    },
    async stageBatch(input) {
      const segment = await upload(input.projectId, input.segment);
      return segment === null ? "lease_lost" : store.stageBatch({ ...input, segment });
    },
    async replaceSegments(input) {
      if (input.bytes === null) return store.replaceSegments(input);
      const bytes = await upload(input.projectId, input.bytes);
      return bytes !== null && store.replaceSegments({ ...input, bytes });
    },
    async reclaim(input) {
      const more = await store.reclaim(input);
      const isForRows = input.part === undefined || input.part === "rows";
      return (isForRows && (await removeObjects(input.now))) || more;
    },
    async nextUpkeep(input) {
      const next = await store.nextUpkeep(input);
      return next.readyNow ? next : { readyNow: await store.nextObjects(input) };
    },
  };
}
