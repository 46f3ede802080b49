/** Recall of a preselection by sign bits: how many of the nearest chunks it contains. */
import { numberOf, ordinalOf, segmentPlaceOf } from "../../packages/server/src/engine/index/candidates.ts";
import type { SearchKernels } from "../../packages/server/src/engine/index/kernels/search-kernels.ts";
import type { Segment } from "../../packages/server/src/engine/index/segment.ts";
import { createTopList } from "../../packages/server/src/engine/index/top-list.ts";

export interface SignRecall {
  /** Number of candidates selected by sign bits, which int8 scores afterwards. */
  readonly candidates: number;
  /** The share of the 10 and of the 100 nearest chunks by int8 that are among the candidates. */
  readonly recallAt10: number;
  readonly recallAt100: number;
}

const CANDIDATES = [250, 500, 1_000, 2_000, 4_000] as const;
const DEPTH = 100;

/** For the query set in the kernels. A chunk counts only if all chunks with the same distance fit into the candidates. */
export function measureSignRecall(
  kernels: SearchKernels,
  segments: readonly Segment[],
): readonly SignRecall[] {
  const nearest = createTopList(DEPTH, (one, other) => one < other);
  const distances: Uint16Array[] = [];
  let bits = 0;
  for (const [place, segment] of segments.entries()) {
    const offer = (ordinal: number, score: number) => nearest.offer(numberOf(place, ordinal), score);
    kernels.nearest(segment, null, { floor: nearest.floor, offer });
    distances.push(distancesIn(kernels, segment));
    bits = Math.max(bits, segment.dimensions);
  }
  const upTo = countUpTo(distances, bits);
  const ranks = nearest.drain().map(({ id }) => {
    const distance = distances[segmentPlaceOf(id)]?.[ordinalOf(id)] ?? bits;
    return upTo[distance] ?? Number.POSITIVE_INFINITY;
  });
  return CANDIDATES.map((candidates) => {
    const share = (depth: number) => {
      const best = ranks.slice(0, depth);
      return best.filter((rank) => rank <= candidates).length / best.length;
    };
    return { candidates, recallAt10: share(10), recallAt100: share(DEPTH) };
  });
}

function distancesIn(kernels: SearchKernels, segment: Segment): Uint16Array {
  const distances = new Uint16Array(segment.chunkCount);
  kernels.nearestSigns(segment, null, {
    ceiling: segment.dimensions,
    offer(ordinal, distance) {
      distances[ordinal] = distance;
      return segment.dimensions;
    },
  });
  return distances;
}

/** For each distance, the number of chunks with at most that distance. */
function countUpTo(distances: readonly Uint16Array[], bits: number): readonly number[] {
  const counts = new Array<number>(bits + 1).fill(0);
  for (const segment of distances)
    for (const distance of segment) counts[distance] = (counts[distance] ?? 0) + 1;
  let sum = 0;
  return counts.map((count) => {
    sum += count;
    return sum;
  });
}

/** Averages over all questions. */
export function meanRecall(questions: readonly (readonly SignRecall[])[]): readonly SignRecall[] {
  return CANDIDATES.map((candidates, at) => {
    const mean = (pick: (recall: SignRecall) => number) =>
      questions.reduce((sum, recalls) => {
        const recall = recalls[at];
        return sum + (recall === undefined ? 0 : pick(recall));
      }, 0) / questions.length;
    return {
      candidates,
      recallAt10: mean(({ recallAt10 }) => recallAt10),
      recallAt100: mean(({ recallAt100 }) => recallAt100),
    };
  });
}
