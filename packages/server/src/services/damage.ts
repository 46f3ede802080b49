/** Damage of the search index: told, marked and answered. */
import { errors } from "../domain/errors.ts";
import { DamagedIndexError } from "../domain/index-damage.ts";
import type { Answerer } from "../ports/answerer.ts";
import type { Log } from "../ports/log.ts";
import type { IndexStore } from "../ports/store.ts";

export interface DamageReportDeps {
  readonly store: Pick<IndexStore, "reportDamagedSegment">;
  readonly log: Log;
  /** Called once for each segment that is newly marked. */
  readonly onReported: () => void;
}

/** Marks the segment for repair, and tells of it the first time. */
export async function reportDamage(damage: DamagedIndexError, deps: DamageReportDeps): Promise<void> {
  const { projectId, segmentId } = damage;
  if (!(await deps.store.reportDamagedSegment({ projectId, segmentId }))) return;
  deps.log.error("segment_damaged", { projectId, segmentId, error: damage });
  deps.onReported();
}

/** Answers as `answerer`, but reports a damaged segment and says that the index is being rebuilt. */
export function reportingDamage(answerer: Answerer, deps: DamageReportDeps): Answerer {
  return {
    async answer(question) {
      try {
        return await answerer.answer(question);
      } catch (error) {
        if (!(error instanceof DamagedIndexError)) throw error;
        await reportDamage(error, deps);
        throw errors.indexDamaged(error);
      }
    },
  };
}
