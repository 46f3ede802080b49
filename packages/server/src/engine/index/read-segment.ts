import { DamagedIndexError, type SegmentKey } from "../../domain/index-damage.ts";
import type { IndexStore } from "../../ports/store.ts";

/**
 * The bytes of a segment; null if a merge or a deletion has removed it.
 * @throws DamagedIndexError if the segment is listed but its bytes are missing
 */
export async function readSegmentBytes(
  { projectId, segmentId }: SegmentKey,
  store: Pick<IndexStore, "readSegment" | "readIndexState">,
): Promise<Uint8Array | null> {
  const bytes = await store.readSegment({ projectId, segmentId });
  if (bytes !== null) return bytes;
  const state = await store.readIndexState({ projectId });
  if (state?.segments.some((segment) => segment.segmentId === segmentId) !== true) return null;
  throw new DamagedIndexError({ projectId, segmentId }, new Error("its bytes are not stored"));
}
