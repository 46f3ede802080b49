/** Reports damaged segments of the search index, so that they are rebuilt. */
import type { DamagedIndexError } from "../domain/index-damage.ts";
import type { Log } from "../ports/log.ts";
import type { IndexStore } from "../ports/store.ts";

export interface DamageReportDeps {
  readonly store: Pick<IndexStore, "reportDamagedSegment">;
  readonly log: Log;
  /** Called once for each segment that is newly marked. */
  readonly onReported: () => void;
}

/** Marks the segment for repair; logs and counts it only when it was not marked before. */
export async function reportDamage(damage: DamagedIndexError, deps: DamageReportDeps): Promise<void> {
  const { projectId, segmentId } = damage;
  if (!(await deps.store.reportDamagedSegment({ projectId, segmentId }))) return;
  deps.log.error("segment_damaged", { projectId, segmentId, error: damage });
  deps.onReported();
}
