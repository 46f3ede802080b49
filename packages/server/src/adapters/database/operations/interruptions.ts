/**
 * How long a job or a move waits after its worker ended in the middle of it, by the tries before. At a start the wait begins
 * anew. So work that ends its process comes back only after a longer life without it, and does so until its tries are used up;
 * while a process that something else ends again and again, as a lack of memory does, leaves the tries of the work that
 * waits as they are.
 */
import { type RawBuilder, sql } from "kysely";

/** The last one applies to all later tries. Together with a lease shorter than what `strayAfter` takes for an error of the clock. */
const pausesMs = [0, 4_000, 32_000, 256_000] as const;
const [, , , longestMs] = pausesMs;
const { lit } = sql;

export function pauseAfter(attempts: number): number {
  return pausesMs[attempts] ?? longestMs;
}

/** `time` and the pause by the row's column `attempts`. */
export function afterPause(time: number): RawBuilder<number> {
  const cases = pausesMs.map((ms, attempts) => sql`when ${lit(attempts)} then ${lit(ms)}`);
  return sql<number>`cast(${time} as bigint) + case attempts ${sql.join(cases, sql` `)} else ${lit(longestMs)} end`;
}
