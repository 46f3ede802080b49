import { endedIn, type Queue, unfinishedIn } from "../api/queue-state.ts";
import styles from "./queue-bar.module.css";

/** The share of the documents that are done. What runs is not. The numbers must stand beside it. */
export function QueueBar({ queue }: { readonly queue: Queue }) {
  const ended = endedIn(queue) - queue.endedBefore;
  const total = Math.max(1, ended + unfinishedIn(queue));
  return (
    <svg className={styles.bar} viewBox="0 0 1000 6" preserveAspectRatio="none" aria-hidden>
      <rect width={(1000 * ended) / total} height="6" className={styles.done} />
    </svg>
  );
}
