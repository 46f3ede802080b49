import type { ChunkKey } from "../../domain/document.ts";
import type { Segment } from "./segment.ts";
import type { ChunkMask } from "./visible-chunks.ts";

/** The ordinals of those keys that the segment holds and the mask allows. */
export function findKeys(
  segment: Segment,
  keys: readonly ChunkKey[],
  mask: ChunkMask,
): readonly { readonly key: number; readonly ordinal: number }[] {
  return keys.flatMap(({ versionId, position }, key) => {
    const document = segment.findDocument(versionId);
    if (document < 0) return [];
    const end = segment.firstOrdinalAt(document + 1);
    let low = segment.firstOrdinalAt(document);
    let high = end;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((segment.positions[middle] ?? 0) < position) low = middle + 1;
      else high = middle;
    }
    const isFound = low < end && segment.positions[low] === position;
    return isFound && (mask === null || mask[low] === 1) ? [{ key, ordinal: low }] : [];
  });
}
