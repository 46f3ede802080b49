/** Keeps the indexes in order: repairs damaged segments, rewrites those of an older format, merges small ones, frees space. */
import { DamagedIndexError } from "../domain/index-damage.ts";
import { isPaused } from "../domain/pause.ts";
import { compactProject } from "../engine/index/compact.ts";
import { MERGE_FACTOR } from "../engine/index/merge-plan.ts";
import { findDamage, repairSegment } from "../engine/index/repair.ts";
import type { SegmentWork } from "../engine/index/segment-work.ts";
import type { Log } from "../ports/log.ts";
import {
  type DamagedSegment,
  isOutage,
  type OutdatedSegment,
  RECLAIM_PARTS,
  type Store,
  StoreUnavailableError,
} from "../ports/store.ts";
import { reportDamage } from "./damage.ts";

export interface MergingService {
  /**
   * One round: repairs first, then rewrites, then merges, then freeing space. True when something was done, so that another round may be
   * needed.
   */
  mergeNext(stopping: () => boolean): Promise<boolean>;
}

export interface MergingDeps {
  readonly store: Store;
  readonly work: SegmentWork;
  readonly log: Log;
  readonly now: () => number;
  /** How long ended jobs are kept; see `reclaim`. */
  readonly jobLifeMs: number;
  /** Of an account; null or omitted = all, for so long. */
  readonly endedJobs?: number | null;
  /** A damaged segment was found and marked. */
  readonly onDamage: () => void;
}

const REPAIRS_PER_ROUND = 16;
const REWRITES_PER_ROUND = 16;
const PROJECTS_PER_ROUND = 16;
const PAGES_PER_ROUND = 256;
/** After this number of failed merges a project is left alone until it changes. */
const MAX_TRIES = 3;
const MAX_FAILING = 1_000;
/** Projects whose steps fail at one time; a fault of something else fails for as many, too, and then ends the round. */
const MAX_PASSED_OVER = 32;
const SCAN_PAUSE_MS = 60 * 60_000;
const MAX_SCANS = 1_000;
const FIRST_REPAIR_PAUSE_MS = 60_000;
const LONGEST_REPAIR_PAUSE_MS = 6 * 60 * 60_000;

/** Whether a round would repair or merge anything, for a process that runs no rounds at present. */
export async function isUpkeepDue(store: Pick<Store, "nextUpkeep">, now: number): Promise<boolean> {
  return (await store.nextUpkeep({ now, minSegments: MERGE_FACTOR })).readyNow;
}

export function createMergingService(deps: MergingDeps): MergingService {
  const { store } = deps;
  /** Failed merges in a row, by project. */
  const failures = new Map<string, number>();
  const isScanDue = createScanClock(deps.now);
  const reclaim = createReclaim(deps);

  async function merge(projectId: string, stopping: () => boolean): Promise<boolean> {
    const tried = failures.get(projectId) ?? 0;
    const isLastTry = tried + 1 >= MAX_TRIES || failures.size >= MAX_FAILING;
    try {
      const merged = await compactProject({ projectId, isLastTry }, deps);
      failures.delete(projectId);
      return merged;
    } catch (error) {
      if (stopping()) return false; // The shutdown has ended the merge thread.
      if (error instanceof DamagedIndexError) return report(error, deps);
      if (isOutage(error)) throw error;
      if (isLastTry) failures.delete(projectId);
      else failures.set(projectId, tried + 1);
      deps.log.error("merge_failed", { projectId, error });
      return false;
    }
  }

  return {
    async mergeNext(stopping) {
      const renewed = await unlessOutage(() => renewSegments(stopping));
      if (stopping()) return renewed.done;
      const more = await reclaim();
      if (renewed.outage !== null) throw renewed.outage;
      return more || renewed.done;
    },
  };

  async function renewSegments(stopping: () => boolean): Promise<boolean> {
    let done = await repairNext(deps, isScanDue, stopping);
    if (await rewriteNext(deps, stopping)) done = true;
    const projectIds = await store.listMergeCandidates({
      minSegments: MERGE_FACTOR,
      limit: PROJECTS_PER_ROUND,
    });
    for (const projectId of projectIds) {
      if (stopping()) return done;
      if (await merge(projectId, stopping)) done = true;
    }
    return done;
  }
}

/** While the segment store cannot be used or is full, what needs only the database goes on, and what is not needed is removed. The round fails afterwards. */
async function unlessOutage(
  work: () => Promise<boolean>,
): Promise<{ readonly done: boolean; readonly outage: StoreUnavailableError | null }> {
  try {
    return { done: await work(), outage: null };
  } catch (error) {
    if (
      error instanceof StoreUnavailableError &&
      (error.reason === "segment_store" || error.reason === "disk_full")
    )
      return { done: false, outage: error };
    throw error;
  }
}

/**
 * Frees space and takes a step of what projects have left to do. A step that fails costs its project alone: it is passed over for a
 * while, so that the others go on.
 */
function createReclaim({
  store,
  log,
  now,
  jobLifeMs,
  endedJobs = null,
}: MergingDeps): () => Promise<boolean> {
  let passedOver = 0;
  let passedOverAt = 0;
  return async () => {
    const isPassing = isPaused(now(), {
      until: passedOverAt + FIRST_REPAIR_PAUSE_MS,
      lengthMs: FIRST_REPAIR_PAUSE_MS,
    });
    if (!isPassing) passedOver = 0;
    const input = {
      ...{ now: now(), jobLifeMs },
      ...(endedJobs === null ? {} : { endedJobs }),
    };
    let more = false;
    try {
      for (const part of RECLAIM_PARTS) {
        const maxPages = part === "rows" ? PAGES_PER_ROUND : 0;
        if (await store.reclaim({ ...input, passedOver, part, maxPages })) more = true;
      }
      return more;
    } catch (error) {
      if (isOutage(error)) throw error;
      if (error instanceof StoreUnavailableError) {
        // Of the objects to remove, which are not given again at once: the others go on.
        log.error("object_removal_failed", { error });
        return true;
      }
      if (passedOver >= MAX_PASSED_OVER) throw error;
      log.error("upkeep_step_failed", { passedOver, error });
      if (passedOver === 0) passedOverAt = now();
      passedOver += 1;
      return true;
    }
  };
}

/** True when a segment was repaired, or more damage was found. */
async function repairNext(
  deps: MergingDeps,
  isScanDue: (projectId: string) => boolean,
  stopping: () => boolean,
): Promise<boolean> {
  let done = false;
  const due = await deps.store.listRepairs({ now: deps.now(), limit: REPAIRS_PER_ROUND });
  for (const segment of due) {
    if (stopping()) return done;
    try {
      // Where one segment is damaged, others may be too. Queries would find them only one at a time.
      if (segment.failures === 0 && isScanDue(segment.projectId)) {
        for (const damage of await findDamage(segment.projectId, { ...deps, stopping })) {
          if (await report(damage, deps)) done = true;
        }
      }
      if ((await repairSegment(segment, { ...deps, stopping })) === "changed") continue;
      deps.log.info("segment_repaired", { projectId: segment.projectId, segmentId: segment.segmentId });
      done = true;
    } catch (error) {
      if (stopping()) return done;
      if (isOutage(error)) throw error;
      if (!(error instanceof DamagedIndexError)) await postpone(segment, error, deps);
      else if (await report(error, deps)) done = true;
    }
  }
  return done;
}

/**
 * Rebuilds segments of an older format version from their chunks, which brings everything in them up to date: layout, terms
 * and quantization. True when one was rewritten, or damage was found.
 */
async function rewriteNext(deps: MergingDeps, stopping: () => boolean): Promise<boolean> {
  let done = false;
  for (const segment of await deps.store.listRewrites({ now: deps.now(), limit: REWRITES_PER_ROUND })) {
    if (stopping()) return done;
    try {
      if ((await repairSegment(segment, { ...deps, stopping })) === "changed") continue;
      deps.log.info("segment_rewritten", { projectId: segment.projectId, segmentId: segment.segmentId });
      done = true;
    } catch (error) {
      if (stopping()) return done;
      if (isOutage(error)) throw error;
      if (!(error instanceof DamagedIndexError)) await postponeRewrite(segment, error, deps);
      else if (await report(error, deps)) done = true;
    }
  }
  return done;
}

/**
 * Tells whether all segments of a project should be scanned for damage, and then counts the scan as done. At most one scan an
 * hour: without that limit a project with many damaged segments would be scanned in every round.
 */
function createScanClock(now: () => number): (projectId: string) => boolean {
  /** Time of the last scan by project, oldest first. */
  const scans = new Map<string, number>();
  return (projectId) => {
    const last = scans.get(projectId);
    const until = (last ?? 0) + SCAN_PAUSE_MS;
    if (last !== undefined && isPaused(now(), { until, lengthMs: SCAN_PAUSE_MS })) return false;
    scans.delete(projectId);
    const [oldest] = scans.keys();
    if (oldest !== undefined && scans.size >= MAX_SCANS) scans.delete(oldest);
    scans.set(projectId, now());
    return true;
  };
}

/** False when the segment was marked already: the round has tried to repair it, so no further round is needed. */
async function report(damage: DamagedIndexError, deps: MergingDeps): Promise<boolean> {
  let isNew = false;
  await reportDamage(damage, {
    ...deps,
    onReported() {
      isNew = true;
      deps.onDamage();
    },
  });
  return isNew;
}

/** The segment stays marked, so queries are not answered without it; its missing chunks may still be restored. */
async function postpone(segment: DamagedSegment, error: unknown, deps: MergingDeps): Promise<void> {
  const { projectId, segmentId, failures } = segment;
  const pauseMs = pauseAfter(failures);
  deps.log.error("segment_repair_failed", { projectId, segmentId, pauseMs, error });
  await deps.store.postponeRepair({ projectId, segmentId, until: deps.now() + pauseMs });
}

/** The segment answers questions as before; only a release that no longer reads its format needs the rewrite. */
async function postponeRewrite(segment: OutdatedSegment, error: unknown, deps: MergingDeps): Promise<void> {
  const { projectId, segmentId, failures } = segment;
  const pauseMs = pauseAfter(failures);
  deps.log.error("segment_rewrite_failed", { projectId, segmentId, pauseMs, error });
  await deps.store.postponeRewrite({ projectId, segmentId, until: deps.now() + pauseMs });
}

function pauseAfter(failures: number): number {
  return Math.min(LONGEST_REPAIR_PAUSE_MS, FIRST_REPAIR_PAUSE_MS * 2 ** Math.min(failures, 20));
}
