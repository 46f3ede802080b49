/** Times for people. All of the dashboard writes a day as "Mar 8, 2005". */
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?Z$/;
const day = /^\d{4}-\d\d-\d\d$/;
const dayMs = 86_400_000;

/** A time or a day of metadata, in UTC; null for any other value. Midnight is mostly a day without a time. */
export function timeWords(value: string | number): string | null {
  if (typeof value !== "string" || !(instant.test(value) || day.test(value))) return null;
  const date = new Date(value);
  // Of a day that does not exist it is another one.
  if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== value.slice(0, 10)) return null;
  const isDay = date.getTime() % dayMs === 0;
  const format = { dateStyle: "medium", timeZone: "UTC" } as const;
  return isDay
    ? date.toLocaleString("en", format)
    : `${date.toLocaleString("en", { ...format, timeStyle: "short" })} UTC`;
}

/** A time where the reader is. */
export function momentWords(at: Date): string {
  return at.toLocaleString("en", { dateStyle: "medium", timeStyle: "short" });
}

/** "2005", "2005-03" or "2005-03-08" as "2005", "Mar 2005" or "Mar 8, 2005"; other texts as they are. */
export function periodWords(period: string): string {
  if (!/^\d{4}-\d\d$/.test(period)) return timeWords(period) ?? period;
  const date = new Date(`${period}-01`);
  if (Number.isNaN(date.getTime())) return period;
  return date.toLocaleString("en", { year: "numeric", month: "short", timeZone: "UTC" });
}

/** "from 1994 until Mar 2001", "in 1994" or "on Mar 8, 2005" of what began and ended then; "" without times. */
export function spanWords({
  valid_from: from,
  valid_to: to,
}: {
  readonly valid_from: string | null;
  readonly valid_to: string | null;
}): string {
  if (from !== null && from === to) return `${day.test(from) ? "on" : "in"} ${periodWords(from)}`;
  return [
    ...(from === null ? [] : [`from ${periodWords(from)}`]),
    ...(to === null ? [] : [`until ${periodWords(to)}`]),
  ].join(" ");
}
