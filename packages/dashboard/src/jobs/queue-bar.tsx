import type { JobQueue } from "@kcs/sdk";
import { progressOf } from "../api/queue-state.ts";
import styles from "./queue-bar.module.css";

/** The shares of the jobs at hand, or of the documents that are read again, that are indexed, and that failed or were cancelled. The numbers must stand beside it. */
export function QueueBar({ queue }: { readonly queue: JobQueue }) {
  const progress = progressOf(queue);
  const widthOf = (jobs: number) => (1000 * jobs) / Math.max(1, progress.total);
  const done = widthOf(progress.done);
  return (
    <svg className={styles.bar} viewBox="0 0 1000 6" preserveAspectRatio="none" aria-hidden>
      <rect width={done} height="6" className={styles.done} />
      <rect x={done} width={widthOf(progress.failed)} height="6" className={styles.failed} />
    </svg>
  );
}
