/** Segment stores of tests: a folder, or a bucket of the server of the tests. */
import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { openFolderObjects } from "../../src/adapters/segments/folder-objects.ts";
import { type OutsideSegments, writeOutside } from "../../src/adapters/segments/outside-segments.ts";
import { createPatientObjects } from "../../src/adapters/segments/patient-objects.ts";
import { adoptStore } from "../../src/adapters/segments/store-identity.ts";
import type { ObjectStore } from "../../src/ports/segment-objects.ts";
import type { Store } from "../../src/ports/store.ts";

export const QUICK_TIMES = { tryMs: 20_000, mibMs: 0, pauseMs: 1, restMs: 0 };

/** Beside every store of segments. */
export const MARKER = "kcs-segment-store";

/** As a process does it at its start. */
export async function adopt(
  store: Store,
  objects: ObjectStore,
  options: {
    readonly keptMs?: number;
    readonly cache?: OutsideSegments["cache"];
    readonly now?: () => number;
  } = {},
): Promise<Store> {
  const { cache = null, now = () => 1_000, ...rest } = options;
  const patient = createPatientObjects(objects, QUICK_TIMES);
  const outside = { objects: patient, cache, storeId: await adoptStore(store, patient) };
  return writeOutside(store, outside, { now, newToken: () => randomBytes(6).toString("hex"), ...rest });
}

export function folderIn(dataDir: string): { readonly path: string; readonly objects: ObjectStore } {
  const path = join(dataDir, "outside");
  mkdirSync(path, { recursive: true });
  return { path, objects: openFolderObjects(path) };
}

/** The keys of all objects in a folder but its marker. */
export function keysIn(path: string): readonly string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== MARKER)
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))
    .sort();
}
