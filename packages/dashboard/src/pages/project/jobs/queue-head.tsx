import type { JobQueue } from "@kcs/sdk";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { cancellingQuery } from "../../../api/jobs.ts";
import { othersIn, unfinishedIn } from "../../../api/queue-state.ts";
import { useIsLost } from "../../../api/use-is-lost.ts";
import { Button } from "../../../components/button.tsx";
import { ConfirmDialog } from "../../../components/confirm-dialog.tsx";
import { FaultNotice } from "../../../components/fault-notice.tsx";
import { QueueBar } from "../../../jobs/queue-bar.tsx";
import { queueNotes, queueTitle, stillWords } from "../../../jobs/queue-words.ts";
import styles from "./queue-head.module.css";
import { useJobChange } from "./use-job-change.ts";

/** How far the whole is, also while all is being cancelled, which takes minutes. While anything runs: the rate, the time left, and a way to stop all of it. */
export function QueueHead({ projectId, queue }: { readonly projectId: string; readonly queue: JobQueue }) {
  const [isAsking, setAsking] = useState(false);
  const { change, changing } = useJobChange(projectId);
  const { data: cancelling = null } = useQuery(cancellingQuery(projectId));
  const isLost = useIsLost();
  const [unfinished, others] = [unfinishedIn(queue), othersIn(queue)];
  return (
    <section aria-label="Queue" className={styles.card}>
      <div className={styles.head}>
        <p className={styles.title}>{queueTitle(queue, cancelling)}</p>
        <p className={styles.pace}>{isLost && unfinished > 0 ? stillWords : queueNotes(queue, cancelling)}</p>
        {unfinished > 0 && cancelling === null && !isLost && (
          <Button size="small" onPress={() => setAsking(true)}>
            Cancel all
          </Button>
        )}
      </div>
      {unfinished > 0 && <QueueBar queue={queue} />}
      <FaultNotice error={changing.error} />
      {isAsking && (
        <ConfirmDialog
          title="Cancel all jobs"
          action="Cancel all jobs"
          keep="Keep them running"
          onConfirm={async () => change({ action: "cancelAll", jobs: unfinished })}
          onClose={() => setAsking(false)}
        >
          {queue.reread !== null && "Documents that were not read again yet stay as they are. "}
          {others > 0 &&
            `${others === 1 ? "The job that has" : `The ${others.toLocaleString("en")} jobs that have`} not ended will be cancelled. Their texts are not kept: send them again if you still want to add them.`}
          {queue.reread === null && others === 0 && "Nothing waits any more: all jobs have ended meanwhile."}
        </ConfirmDialog>
      )}
    </section>
  );
}
