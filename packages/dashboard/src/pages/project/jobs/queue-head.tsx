import { useState } from "react";
import { endedIn, type Queue, unfinishedIn } from "../../../api/queue-state.ts";
import { Button } from "../../../components/button.tsx";
import { ConfirmDialog } from "../../../components/confirm-dialog.tsx";
import { QueueBar } from "../../../jobs/queue-bar.tsx";
import { queueNotes } from "../../../jobs/queue-words.ts";
import styles from "./queue-head.module.css";
import { useJobChange } from "./use-job-change.ts";

/** How far the whole is. While anything runs: the rate, the time left, and a way to stop all of it. */
export function QueueHead({ projectId, queue }: { readonly projectId: string; readonly queue: Queue }) {
  const [isCancelling, setCancelling] = useState(false);
  const { changing } = useJobChange(projectId);
  const unfinished = unfinishedIn(queue);
  const ended = endedIn(queue) - queue.endedBefore;
  return (
    <section aria-label="Queue" className={styles.card}>
      <div className={styles.head}>
        <p className={styles.title}>
          {unfinished === 0
            ? "Nothing is waiting"
            : `${ended.toLocaleString("en")} of ${(ended + unfinished).toLocaleString("en")} documents are done`}
        </p>
        <p className={styles.pace}>{queueNotes(queue)}</p>
        {unfinished > 0 && (
          <Button size="small" onPress={() => setCancelling(true)}>
            Cancel all
          </Button>
        )}
      </div>
      {unfinished > 0 && <QueueBar queue={queue} />}
      {isCancelling && (
        <ConfirmDialog
          title="Cancel all jobs"
          action="Cancel all jobs"
          keep="Keep them running"
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
