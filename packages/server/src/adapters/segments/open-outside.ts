/** Opens the segment store, in the process and in each thread that needs it. */
import { randomBytes } from "node:crypto";
import type { ObjectStore } from "../../ports/segment-objects.ts";
import type { Store } from "../../ports/store.ts";
import { openDiskCache } from "./disk-cache.ts";
import { openFolderObjects } from "./folder-objects.ts";
import { type OutsideSegments, readOutside, writeOutside } from "./outside-segments.ts";
import { createPatientObjects, type PatientObjects } from "./patient-objects.ts";
import type { SegmentPlace, SegmentStoreSettings } from "./settings.ts";

/** The store of a process that has adopted it, as its threads receive it. */
export interface AdoptedStore extends SegmentStoreSettings {
  readonly storeId: string;
}

/** The client of S3 is loaded only where it is needed. */
export async function openObjects(place: SegmentPlace): Promise<PatientObjects> {
  const objects: ObjectStore =
    place.kind === "folder"
      ? openFolderObjects(place.path)
      : (await import("./s3-objects.ts")).openBucketObjects(place);
  return createPatientObjects(objects);
}

export async function openOutside({ place, cache, storeId }: AdoptedStore): Promise<OutsideSegments> {
  return {
    objects: await openObjects(place),
    cache: cache === null ? null : openDiskCache(cache),
    storeId,
  };
}

/** The store as it is where nothing is outside of it. */
export async function withSegmentStore(store: Store, adopted: AdoptedStore | null): Promise<Store> {
  if (adopted === null) return store;
  const newToken = () => randomBytes(TOKEN_BYTES).toString("hex");
  return writeOutside(store, await openOutside(adopted), { now: store.now, newToken });
}

/** The same for a store that only reads. */
export async function readingSegmentStore<S extends Pick<Store, "readSegment" | "findSegmentObject">>(
  store: S,
  adopted: AdoptedStore | null,
): Promise<S> {
  return adopted === null ? store : readOutside(store, await openOutside(adopted));
}

const TOKEN_BYTES = 8;
