import type { IndexState, IndexStore, SegmentState } from "../../ports/store.ts";
import type { VisibleSegment } from "../index/search.ts";
import type { SegmentCache, SegmentLease } from "../index/segment-cache.ts";

/** Segments of one state of an index, in memory until `release`. */
export interface OpenIndex {
  readonly segments: readonly VisibleSegment[];
  release(): void;
}

export interface SegmentReader {
  /** null when a segment is gone from the store: the state is out of date. @throws DamagedSegmentError */
  open(projectId: string, state: IndexState): Promise<OpenIndex | null>;
}

/** Segments from the cache, and from the store what the cache lacks. A segment that two queries want is read once. */
export function createSegmentReader(deps: {
  readonly store: Pick<IndexStore, "readSegment">;
  readonly cache: SegmentCache;
}): SegmentReader {
  const reading = new Map<string, Promise<Uint8Array | null>>();

  function read(projectId: string, segmentId: number): Promise<Uint8Array | null> {
    const name = `${projectId} ${segmentId}`;
    const running = reading.get(name);
    if (running !== undefined) return running;
    const started = deps.store.readSegment({ projectId, segmentId }).finally(() => reading.delete(name));
    reading.set(name, started);
    return started;
  }

  async function lease(projectId: string, segmentId: number): Promise<SegmentLease | null> {
    const key = { projectId, segmentId };
    const cached = deps.cache.find(key);
    if (cached !== null) return cached;
    const bytes = await read(projectId, segmentId);
    return bytes === null ? null : deps.cache.add(key, bytes);
  }

  return {
    async open(projectId, state) {
      deps.cache.retain(projectId, new Set(state.segments.map(({ segmentId }) => segmentId)));
      const leases: SegmentLease[] = [];
      const release = () => {
        for (const each of leases) each.release();
      };
      const segments: VisibleSegment[] = [];
      try {
        for (const segment of state.segments) {
          const found = await lease(projectId, segment.segmentId);
          if (found === null) {
            release();
            return null;
          }
          leases.push(found);
          segments.push({ segment: found.segment, hidden: hiddenVersions(segment) });
        }
      } catch (error) {
        release();
        throw error;
      }
      return { segments, release };
    },
  };
}

function hiddenVersions(segment: SegmentState): ReadonlySet<number> {
  return new Set([...segment.dead, ...segment.staged]);
}
