/** Days in UTC, in the format of the service: "2031-04-09". */
const dayMs = 86_400_000;

export function dayOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 10);
}

/** The last `count` days in order, ending with the day of `nowMs`. */
export function lastDays(count: number, nowMs: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => dayOf(nowMs - (count - 1 - at) * dayMs));
}

/** One sum per day, 0 for days without usage. */
export function sumByDay<Row extends { readonly date: string }>(
  days: readonly string[],
  rows: readonly Row[],
  countOf: (row: Row) => number,
): readonly { readonly date: string; readonly value: number }[] {
  const sums = new Map(days.map((date) => [date, 0]));
  for (const row of rows) {
    const before = sums.get(row.date);
    if (before !== undefined) sums.set(row.date, before + countOf(row));
  }
  return days.map((date) => ({ date, value: sums.get(date) ?? 0 }));
}
