/** Stored times that are farther off than any wait is long: they were set before the clock was set back, so they count as past. */
import { type Expression, type SqlBool, sql } from "kysely";

/** Longer than any wait or lease that the service sets for a job, a move or a webhook. */
const maxWaitMs = 600_000;
/** The longest wait of upkeep: staged vectors of a failed move are kept for a day. */
export const maxUpkeepWaitMs = 24 * 60 * 60_000;

export function strayAfter(now: number): number {
  return now + maxWaitMs;
}

/** Whether work of upkeep whose time is in this column is due. */
export function isUpkeepDueAt(time: Expression<number | null>, now: number): Expression<SqlBool> {
  return sql<SqlBool>`(${time} <= ${now} or ${time} > ${now + maxUpkeepWaitMs})`;
}
