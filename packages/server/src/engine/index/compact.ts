/** Merges a project's small segments into larger ones without blocking ingestion or queries. */
import { DamagedIndexError } from "../../domain/index-damage.ts";
import { type IndexStore, isOutage, type SegmentState } from "../../ports/store.ts";
import { planMerge } from "./merge-plan.ts";
import { readSegmentBytes } from "./read-segment.ts";
import type { SegmentWork, StoredMergeInput } from "./segment-work.ts";

type CompactStore = Pick<
  IndexStore,
  | "readIndexState"
  | "readSegment"
  | "listDamagedSegments"
  | "listOutdatedSegments"
  | "replaceSegments"
  | "markMergeChecked"
>;

/** All input segments exist, but the store rejects their merge. Retrying would always fail. */
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
 * Performs one merge of a project if it needs one, and returns whether it merged anything. One transaction
 * stores the result, or changes nothing if an input no longer exists, so two workers may merge concurrently. A project
 * that needs no merge, or whose last attempt failed, is not checked again until it changes.
 * @throws DamagedIndexError if an input cannot be read, UnfitMergeError
 */
export async function compactProject(
  target: {
    readonly projectId: string;
    readonly isLastTry: boolean;
    /**
     * The vector set whose segments are merged, for segments staged for another embedding space. Default: the
     * set that queries read.
     */
    readonly vectorSet?: number;
  },
  deps: { readonly store: CompactStore; readonly work: SegmentWork },
): Promise<boolean> {
  const { projectId, vectorSet } = target;
  const { store } = deps;
  const scope: SegmentScope = { projectId, ...(vectorSet === undefined ? {} : { vectorSet }) };
  const state = await store.readIndexState(scope);
  if (state === null) return false;
  // Terms of an older format may follow other rules: a merge would pass them off as the current ones.
  const excluded = new Set([
    ...(await store.listDamagedSegments({ projectId })),
    ...(await store.listOutdatedSegments({ projectId })),
  ]);
  const inputs = planMerge(state.segments.filter(({ segmentId }) => !excluded.has(segmentId)));
  const markChecked = async () => {
    if (vectorSet === undefined)
      await store.markMergeChecked({ projectId, indexVersion: state.indexVersion });
  };
  if (inputs.length === 0) {
    await markChecked();
    return false;
  }
  try {
    return await mergeInputs(scope, inputs, deps);
  } catch (error) {
    // That something is not available says nothing about the project.
    if (target.isLastTry && !isOutage(error)) await markChecked();
    throw error;
  }
}

interface SegmentScope {
  readonly projectId: string;
  readonly vectorSet?: number;
}

async function mergeInputs(
  scope: SegmentScope,
  inputs: readonly SegmentState[],
  { store, work }: { readonly store: CompactStore; readonly work: SegmentWork },
): Promise<boolean> {
  const { projectId } = scope;
  const stored: StoredMergeInput[] = [];
  for (const { segmentId, chunkCount, dead } of inputs) {
    const bytes = await readSegmentBytes({ projectId, segmentId }, store);
    if (bytes === null) return false;
    stored.push({ bytes, chunkCount, deadVersions: dead });
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
  if (!isReplaced && (await areAllPresent(scope, segmentIds, store))) {
    throw new UnfitMergeError(projectId, segmentIds);
  }
  return isReplaced;
}

/** Segment ids are never reused, so a segment that exists now has existed throughout. */
async function areAllPresent(
  scope: SegmentScope,
  segmentIds: readonly number[],
  store: CompactStore,
): Promise<boolean> {
  const state = await store.readIndexState(scope);
  const present = new Set(state?.segments.map(({ segmentId }) => segmentId));
  return segmentIds.every((segmentId) => present.has(segmentId));
}
