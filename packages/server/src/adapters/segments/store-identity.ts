/** Tells a segment store from others: an id in it and in the database, so that one that is empty, not mounted or another's is not used. */
import { hash, randomBytes } from "node:crypto";
import { SEGMENT_STORE_SETTING } from "../../ports/segment-objects.ts";
import { type Store, StoreUnavailableError } from "../../ports/store.ts";
import { MARKER, MARKER_BYTES, type PatientObjects } from "./patient-objects.ts";

const ID_BYTES = 16;

/** The service, or a command, cannot use the configured store. The text is for the operator. */
export class SegmentStoreError extends Error {
  override readonly name = "SegmentStoreError";
}

/**
 * The id of the store, which is this database's from now on.
 * @throws SegmentStoreError when the database's segments are in another store
 */
export async function adoptStore(
  store: Pick<Store, "readSetting" | "writeSetting" | "hasSegmentObjects">,
  objects: PatientObjects,
): Promise<string> {
  const name = SEGMENT_STORE_SETTING;
  const known = await store.readSetting({ name });
  const found = await readStoreId(objects);
  if (known !== null && found === known) return known;
  if (known !== null && (await store.hasSegmentObjects())) throw anotherStore(known);
  // Of processes that start at once, all go by what one of them has written, or come to the same id after the one before.
  const value = found ?? (known === null ? randomBytes(ID_BYTES).toString("hex") : idAfter(known));
  const id = await store.writeSetting({ name, value, onlyIfAbsent: known === null });
  if (found !== id) {
    const bytes = new TextEncoder().encode(id);
    await objects.write(MARKER, bytes, hash("sha256", bytes, "hex"));
  }
  return id;
}

/** The store before it may still be written by processes that run. */
function idAfter(id: string): string {
  return hash("sha256", id, "hex").slice(0, 2 * ID_BYTES);
}

export function anotherStore(id: string): SegmentStoreError {
  return new SegmentStoreError(
    `KCS_SEGMENT_STORE is not the store that has the segments of this database: ${MARKER} in it is missing, or another's. If the folder is on a disk that is not mounted, mount it. If the objects were moved, name their new place, and move ${MARKER} along. If they are lost, write ${id} into an object ${MARKER}: the service then builds all segments again from their chunks.`,
  );
}

/** @throws StoreUnavailableError when the store is not there, or is another one now */
export async function requireStore(outside: {
  readonly objects: PatientObjects;
  readonly storeId: string;
}): Promise<void> {
  if ((await readStoreId(outside.objects)) === outside.storeId) return;
  throw new StoreUnavailableError(
    "segment_store",
    `The segment store (KCS_SEGMENT_STORE) is not the one that the service started with: ${MARKER} in it is missing, or another's. Nothing is taken for damaged until it is back.`,
    undefined,
  );
}

export async function readStoreId(objects: PatientObjects): Promise<string | null> {
  const bytes = await objects.read(MARKER, MARKER_BYTES);
  return bytes === null ? null : new TextDecoder().decode(bytes).trim();
}
