import { compactProject, MERGE_FACTOR } from "../engine/index/compact.ts";
import type { Log } from "../ports/log.ts";
import type { Store } from "../ports/store.ts";

export interface MergingService {
  /** One round over the projects whose index needs it. True when something was merged, so that more may be to do. */
  mergeNext(stopping: () => boolean): Promise<boolean>;
}

const PROJECTS_PER_ROUND = 16;
const PAGES_PER_ROUND = 256;

export function createMergingService(deps: {
  readonly store: Store;
  readonly log: Log;
  readonly now: () => number;
}): MergingService {
  const { store, log } = deps;
  return {
    async mergeNext(stopping) {
      let merged = false;
      const projectIds = await store.listMergeCandidates({
        minSegments: MERGE_FACTOR,
        limit: PROJECTS_PER_ROUND,
      });
      for (const projectId of projectIds) {
        if (stopping()) return merged;
        try {
          if (await compactProject(projectId, store)) merged = true;
        } catch (error) {
          log.error("merge_failed", { projectId, error });
        }
      }
      const more = await store.reclaim({ now: deps.now(), maxPages: PAGES_PER_ROUND });
      return merged || more;
    },
  };
}
