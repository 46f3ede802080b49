import type { JobQueue } from "@kcs/sdk";
import { totalOf } from "../api/queue-state.ts";
import styles from "./queue-bar.module.css";

/** The shares of all jobs that are indexed, and that failed or were cancelled. The numbers must stand beside it. */
export function QueueBar({ queue }: { readonly queue: JobQueue }) {
  const widthOf = (jobs: number) => (1000 * jobs) / Math.max(1, totalOf(queue));
  const done = widthOf(queue.completed);
  return (
    <svg className={styles.bar} viewBox="0 0 1000 6" preserveAspectRatio="none" aria-hidden>
      <rect width={done} height="6" className={styles.done} />
      <rect x={done} width={widthOf(queue.failed)} height="6" className={styles.failed} />
    </svg>
  );
}
