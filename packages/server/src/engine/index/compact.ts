/** Folds a project's small segments into larger ones, without holding anybody up. */
import type { IndexState, IndexStore, SegmentState } from "../../ports/store.ts";
import { mergeSegments } from "./merge.ts";
import { openSegment } from "./segment.ts";

/** Segments of one tier have a chunk count within a factor of this; so many of them are folded into one. */
export const MERGE_FACTOR = 8;
const MAX_INPUTS = 4 * MERGE_FACTOR;
const MAX_MERGED_CHUNKS = 32_768;
const SMALLEST_TIER_CHUNKS = 64;

/**
 * Which segments to merge next, by id; empty when the project is in order. Log-structured: as soon as
 * `MERGE_FACTOR` segments of one tier are there they become one of the next, so that a chunk is rewritten a
 * logarithmic number of times. A segment more than half of whose chunks are dead is rewritten alone.
 */
export function planMerge(state: IndexState): readonly SegmentState[] {
  const tiers = new Map<number, SegmentState[]>();
  for (const segment of state.segments) {
    const tier = tierOf(segment.chunkCount);
    tiers.set(tier, [...(tiers.get(tier) ?? []), segment]);
  }
  for (const tier of [...tiers.keys()].sort((a, b) => a - b)) {
    const inputs = withinSize(tiers.get(tier) ?? []);
    if (inputs.length >= MERGE_FACTOR) return inputs;
  }
  const worn = state.segments.find((segment) => segment.deadChunkCount * 2 > segment.chunkCount);
  return worn === undefined ? [] : [worn];
}

function tierOf(chunkCount: number): number {
  let tier = 0;
  for (let limit = SMALLEST_TIER_CHUNKS; chunkCount > limit; limit *= MERGE_FACTOR) tier++;
  return tier;
}

function withinSize(segments: readonly SegmentState[]): readonly SegmentState[] {
  const inputs: SegmentState[] = [];
  let chunks = 0;
  for (const segment of [...segments].sort(
    (a, b) => a.chunkCount - b.chunkCount || a.segmentId - b.segmentId,
  )) {
    if (inputs.length === MAX_INPUTS || chunks + segment.chunkCount > MAX_MERGED_CHUNKS) break;
    inputs.push(segment);
    chunks += segment.chunkCount;
  }
  return inputs;
}

type CompactStore = Pick<
  IndexStore,
  "readIndexState" | "readSegment" | "replaceSegments" | "markMergeChecked"
>;

/**
 * One merge of a project, if it needs one. The result goes in by one transaction that gives up when an input
 * is gone by then, so two workers may try at once. True when something was merged. A project that needs none, or
 * whose merge fails, is not looked at again until it changes.
 * @throws DamagedSegmentError for an input that cannot be read
 */
export async function compactProject(projectId: string, store: CompactStore): Promise<boolean> {
  const state = await store.readIndexState({ projectId });
  if (state === null) return false;
  const markChecked = () => store.markMergeChecked({ projectId, indexVersion: state.indexVersion });
  const inputs = planMerge(state);
  if (inputs.length === 0) {
    await markChecked();
    return false;
  }
  try {
    return await mergeInputs(projectId, inputs, store);
  } catch (error) {
    await markChecked();
    throw error;
  }
}

async function mergeInputs(
  projectId: string,
  inputs: readonly SegmentState[],
  store: CompactStore,
): Promise<boolean> {
  const opened = [];
  for (const { segmentId, dead } of inputs) {
    const bytes = await store.readSegment({ projectId, segmentId });
    if (bytes === null) return false;
    opened.push({ segment: openSegment(bytes), hiddenForGood: new Set(dead) });
  }
  const bytes = mergeSegments(opened);
  return store.replaceSegments({
    projectId,
    segmentIds: inputs.map((segment) => segment.segmentId),
    bytes,
    chunkCount: bytes === null ? 0 : openSegment(bytes).chunkCount,
    droppedVersions: inputs.flatMap((segment) => segment.dead),
  });
}
