import type { JobQueue } from "@kcs/sdk";
import { useState } from "react";
import { unfinishedIn } from "../../../api/jobs.ts";
import { Button } from "../../../components/button.tsx";
import { ConfirmDialog } from "../../../components/confirm-dialog.tsx";
import { QueueBar } from "../../../jobs/queue-bar.tsx";
import { queuePace, queueTotal } from "../../../jobs/queue-words.ts";
import styles from "./queue-head.module.css";
import { useJobChange } from "./use-job-change.ts";

/** How far the whole is. While anything runs: the rate, the time left, and a way to stop all of it. */
export function QueueHead({ projectId, queue }: { readonly projectId: string; readonly queue: JobQueue }) {
  const [isCancelling, setCancelling] = useState(false);
  const { changing } = useJobChange(projectId);
  const unfinished = unfinishedIn(queue);
  const total = queueTotal(queue);
  return (
    <section aria-label="Queue" className={styles.card}>
      <div className={styles.head}>
        <p className={styles.title}>
          {unfinished === 0
            ? "Nothing is waiting"
            : `${(total - unfinished).toLocaleString("en")} of ${total.toLocaleString("en")} jobs have ended`}
        </p>
        <p className={styles.pace}>{queuePace(queue)}</p>
        {unfinished > 0 && (
          <Button size="small" onPress={() => setCancelling(true)}>
            Cancel all
          </Button>
        )}
      </div>
      <QueueBar queue={queue} />
      <dl className={styles.counts}>
        <Count kind="completed" label="Done" value={queue.completed} />
        <Count kind="running" label="Running" value={queue.running} />
        <Count kind="pending" label="Waiting" value={queue.pending} />
        <Count kind="failed" label="Failed" value={queue.failed} />
      </dl>
      {isCancelling && (
        <ConfirmDialog
          title="Cancel all jobs"
          action="Cancel all jobs"
          onConfirm={() => changing.mutateAsync({ action: "cancelAll" })}
          onClose={() => setCancelling(false)}
        >
          {unfinished === 1 ? "The job that has" : `The ${unfinished.toLocaleString("en")} jobs that have`}{" "}
          not ended will be cancelled. Their texts are not kept: send them again if you still want to add
          them.
        </ConfirmDialog>
      )}
    </section>
  );
}

function Count({
  kind,
  label,
  value,
}: {
  readonly kind: "completed" | "running" | "pending" | "failed";
  readonly label: string;
  readonly value: number;
}) {
  return (
    <div>
      <dt>
        <span className={`${styles.dot} ${styles[kind]}`} aria-hidden /> {label}
      </dt>
      <dd>{value.toLocaleString("en")}</dd>
    </div>
  );
}
