/** Folds a project's small segments into larger ones, without holding anybody up. */
import { DamagedIndexError } from "../../domain/index-damage.ts";
import type { IndexStore, SegmentState } from "../../ports/store.ts";
import { planMerge } from "./merge-plan.ts";
import { readSegmentBytes } from "./read-segment.ts";
import type { SegmentWork, StoredMergeInput } from "./segment-work.ts";

type CompactStore = Pick<
  IndexStore,
  "readIndexState" | "readSegment" | "listDamagedSegments" | "replaceSegments" | "markMergeChecked"
>;

/** The segments are all there, but the store does not take their merge: no later try would end otherwise. */
export class UnfitMergeError extends Error {
  constructor(projectId: string, segmentIds: readonly number[]) {
    super(
      `Segments ${segmentIds.join(", ")} of project ${projectId} do not hold the chunks that the database lists for them. ` +
        "They answer questions but are not merged. Restore a backup, or ingest the project's documents again.",
    );
    this.name = "UnfitMergeError";
  }
}

/**
 * One merge of a project, if it needs one. The result goes in by one transaction that gives up when an input
 * is gone by then, so two workers may try at once. True when something was merged. A project that needs none, or
 * whose last of several tries fails, is not looked at again until it changes.
 * @throws DamagedIndexError for an input that cannot be read, UnfitMergeError
 */
export async function compactProject(
  target: {
    readonly projectId: string;
    readonly isLastTry: boolean;
    /** Of segments that are staged for another space; left out = those that questions see. */
    readonly vectorSet?: number;
  },
  deps: { readonly store: CompactStore; readonly work: SegmentWork },
): Promise<boolean> {
  const { projectId, vectorSet } = target;
  const { store } = deps;
  const of = { projectId, ...(vectorSet === undefined ? {} : { vectorSet }) };
  const state = await store.readIndexState(of);
  if (state === null) return false;
  const damaged = new Set(await store.listDamagedSegments({ projectId }));
  const inputs = planMerge(state.segments.filter(({ segmentId }) => !damaged.has(segmentId)));
  const markChecked = async () => {
    if (vectorSet === undefined)
      await store.markMergeChecked({ projectId, indexVersion: state.indexVersion });
  };
  if (inputs.length === 0) {
    await markChecked();
    return false;
  }
  try {
    return await mergeInputs(of, inputs, deps);
  } catch (error) {
    if (target.isLastTry) await markChecked();
    throw error;
  }
}

interface Segments {
  readonly projectId: string;
  readonly vectorSet?: number;
}

async function mergeInputs(
  of: Segments,
  inputs: readonly SegmentState[],
  { store, work }: { readonly store: CompactStore; readonly work: SegmentWork },
): Promise<boolean> {
  const { projectId } = of;
  const stored: StoredMergeInput[] = [];
  for (const { segmentId, chunkCount, dead } of inputs) {
    const bytes = await readSegmentBytes({ projectId, segmentId }, store);
    if (bytes === null) return false;
    stored.push({ bytes, chunkCount, hiddenForGood: dead });
  }
  const merged = await work.merge(stored);
  if (merged.kind === "damaged") {
    const segmentId = inputs[merged.input]?.segmentId ?? 0;
    throw new DamagedIndexError({ projectId, segmentId }, new Error(merged.fault));
  }
  const segmentIds = inputs.map((segment) => segment.segmentId);
  const isReplaced = await store.replaceSegments({
    projectId,
    segmentIds,
    bytes: merged.bytes,
    chunkCount: merged.chunkCount,
    droppedVersions: inputs.flatMap((segment) => segment.dead),
  });
  if (!isReplaced && (await areAllPresent(of, segmentIds, store))) {
    throw new UnfitMergeError(projectId, segmentIds);
  }
  return isReplaced;
}

/** Numbers of segments are not used twice, so what is there now was there all the time. */
async function areAllPresent(
  of: Segments,
  segmentIds: readonly number[],
  store: CompactStore,
): Promise<boolean> {
  const state = await store.readIndexState(of);
  const present = new Set(state?.segments.map(({ segmentId }) => segmentId));
  return segmentIds.every((segmentId) => present.has(segmentId));
}
