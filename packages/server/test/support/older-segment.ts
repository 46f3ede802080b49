/** An invented format version before the current one, as a release that changed the format would still read it. */
import { SEGMENT_VERSION } from "../../src/domain/segment-version.ts";
import { checkSegment, checksumOf, layoutOf, sealSegment } from "../../src/engine/index/format.ts";
import type { ReadableVersions } from "../../src/engine/index/readable-versions.ts";

export const OLDER_VERSION = SEGMENT_VERSION - 1;

/** As the product's table if no older version had a reader. */
export const ONE_VERSION: ReadableVersions = new Map([[SEGMENT_VERSION, (bytes) => bytes]]);

/** The current version, and the older one with its reader. */
export const TWO_VERSIONS: ReadableVersions = new Map([...ONE_VERSION, [OLDER_VERSION, fromOlderVersion]]);

/** The same segment in the older version, in which the columns `positions` and `lengths` have changed places. */
export function toOlderVersion(current: Uint8Array): Uint8Array {
  const older = withColumnsSwapped(current);
  const view = new DataView(older.buffer);
  view.setUint32(4, OLDER_VERSION, true);
  view.setUint32(8, checksumOf(older, OLDER_VERSION), true);
  return older;
}

function fromOlderVersion(older: Uint8Array): Uint8Array {
  const renumbered = older.slice();
  new DataView(renumbered.buffer).setUint32(4, SEGMENT_VERSION, true);
  const current = withColumnsSwapped(renumbered);
  sealSegment(current, checkSegment(current, { isChecked: true }));
  return current;
}

function withColumnsSwapped(bytes: Uint8Array): Uint8Array {
  const counts = checkSegment(bytes, { isChecked: true });
  const { positions, lengths } = layoutOf(counts);
  const length = 4 * counts.chunkCount;
  const swapped = bytes.slice();
  swapped.set(bytes.subarray(lengths, lengths + length), positions);
  swapped.set(bytes.subarray(positions, positions + length), lengths);
  return swapped;
}
