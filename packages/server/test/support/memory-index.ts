/** A search index in memory, without a database: for tests of the search. */
import { buildSegment, type IndexableChunk } from "../../src/engine/index/build.ts";
import {
  openSearchKernels,
  SCRATCH_BYTES,
  type SearchKernels,
} from "../../src/engine/index/kernels/search-kernels.ts";
import type { SearchableIndex } from "../../src/engine/index/scan.ts";
import { createSegmentCache, type SegmentCache } from "../../src/engine/index/segment-cache.ts";
import { createSharedIndexMemory, scratchAddress } from "../../src/engine/index/shared-memory.ts";

export interface MemoryIndex {
  readonly kernels: SearchKernels;
  readonly cache: SegmentCache;
  /** Makes segments of these bytes searchable. Those of an earlier call are forgotten. */
  open(segments: readonly Uint8Array[], hidden: ReadonlySet<number>, staysOpen?: boolean): SearchableIndex;
}

/** Room for `cacheBytes` of segments, as one thread of the service has it. */
export function createMemoryIndex(cacheBytes = 8 * 1024 * 1024): MemoryIndex {
  const shared = createSharedIndexMemory({ cacheBytes, threads: 1, scratchBytes: SCRATCH_BYTES });
  const cache = createSegmentCache({ shared, thread: 0 });
  const kernels = openSearchKernels({ memory: shared.memory, scratch: scratchAddress(shared, 0) });
  let generation = 0;
  return {
    kernels,
    cache,
    open(segments, hidden, staysOpen = true) {
      const projectId = `p${generation++}`;
      cache.retain(`p${generation - 2}`, new Set());
      const lease = (place: number) => {
        const key = { projectId, segmentId: place };
        const leased = cache.find(key) ?? cache.add(key, segments[place] ?? new Uint8Array());
        if (leased === null) throw new Error("the test's index does not fit its memory");
        return leased;
      };
      return {
        hidden: segments.map(() => hidden),
        staysOpen,
        async visit(look, isWanted = () => true) {
          for (const place of segments.keys()) {
            if (!isWanted(place)) continue;
            const { segment, release } = lease(place);
            look(segment, place);
            release();
            // Whoever still looks at it is found out.
            if (!staysOpen) cache.retain(projectId, new Set());
          }
        },
      };
    },
  };
}

/** One segment of each part. */
export function segmentsOf(parts: readonly (readonly IndexableChunk[])[]): Uint8Array[] {
  return parts.map((part) => buildSegment(part));
}
