import styles from "./time.module.css";
import { momentWords } from "./time-words.ts";

const steps = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** Shows "3 hours ago", with the exact time as a tooltip. `at` is ISO 8601. */
export function Time({ at }: { readonly at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={momentWords(date)} className={styles.time}>
      {sinceNow(date.getTime(), Date.now())}
    </time>
  );
}

/** Shows "Dec 21, 2031", for dates whose day matters. */
export function Day({ at }: { readonly at: string }) {
  const date = new Date(at);
  return (
    <time dateTime={at} title={momentWords(date)} className={styles.time}>
      {date.toLocaleDateString("en", { dateStyle: "medium" })}
    </time>
  );
}

/** Both in milliseconds since 1970. */
export function sinceNow(at: number, now: number): string {
  const seconds = Math.round((at - now) / 1000);
  const format = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
  const step = steps.find(([, length]) => Math.abs(seconds) >= length);
  // A few seconds ahead are a difference of the clocks.
  if (step === undefined) return seconds > 5 ? "in a moment" : "just now";
  return format.format(Math.round(seconds / step[1]), step[0]);
}
