import type { JobQueue } from "@kcs/sdk";
import styles from "./queue-bar.module.css";
import { queueTotal } from "./queue-words.ts";

const kinds = ["completed", "failed", "running"] as const;

/** The shares of all jobs: done, failed and running; what is left waits. The numbers must stand beside it. */
export function QueueBar({ queue }: { readonly queue: JobQueue }) {
  const total = Math.max(1, queueTotal(queue));
  let from = 0;
  return (
    <svg className={styles.bar} viewBox="0 0 1000 6" preserveAspectRatio="none" aria-hidden>
      {kinds.map((kind) => {
        const width = (1000 * queue[kind]) / total;
        const at = from;
        from += width;
        return <rect key={kind} x={at} width={width} height="6" className={styles[kind]} />;
      })}
    </svg>
  );
}
