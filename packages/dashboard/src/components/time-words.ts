const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?Z$/;

/** A time in UTC for people; null for any other value. Midnight is mostly a day without a time. */
export function timeWords(value: string | number): string | null {
  if (typeof value !== "string" || !instant.test(value)) return null;
  const date = new Date(value);
  if (Number.isNaN(date.getTime())) return null;
  const isDay = date.getTime() % 86_400_000 === 0;
  const format = { dateStyle: "medium", timeZone: "UTC" } as const;
  return isDay
    ? date.toLocaleString("en", format)
    : `${date.toLocaleString("en", { ...format, timeStyle: "short" })} UTC`;
}
