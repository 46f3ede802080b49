import type { JobQueue } from "@kcs/sdk";
import { Button } from "../../../components/button.tsx";
import { FaultNotice } from "../../../components/fault-notice.tsx";
import { Section } from "../../../components/section.tsx";
import { adviceOf, isCancelled, isWorthRetrying } from "../../../jobs/advice.ts";
import styles from "./failures.module.css";
import { useJobChange } from "./use-job-change.ts";

/** Why jobs failed whose document was not sent again since, and a way to retry all that failed for one reason. */
export function Failures({
  projectId,
  queue: { failures, failed },
}: {
  readonly projectId: string;
  readonly queue: JobQueue;
}) {
  const { change, changing } = useJobChange(projectId);
  if (failures.length === 0) return null;
  const shown = failures.reduce((sum, { jobs }) => sum + jobs, 0);
  const retryable = failures.filter(isWorthIt);
  return (
    <Section
      title={failures.every(wasCancelled) ? "Cancelled" : "Failures"}
      description={scopeOf(shown, failed)}
      action={
        retryable.length > 1 && (
          <Button
            size="small"
            isPending={changing.isPending}
            onPress={() =>
              change({ action: "retryAll", reasons: retryable.map(({ error_message: reason }) => reason) })
            }
          >
            Retry all
          </Button>
        )
      }
    >
      <FaultNotice error={changing.error} />
      <ul className={styles.list}>
        {failures.map((failure) => {
          const { error_message: reason, jobs } = failure;
          return (
            <li key={reason} className={styles.failure}>
              <span className={`${styles.count} ${wasCancelled(failure) ? styles.plain : ""}`}>
                {jobs.toLocaleString("en")}
              </span>
              <span className={styles.reason}>
                {wasCancelled(failure) ? "Cancelled. " : ""}
                {adviceOf(reason)}
              </span>
              {isWorthIt(failure) && (
                <Button
                  size="small"
                  isPending={changing.isPending}
                  onPress={() => change({ action: "retryAll", reasons: [reason] })}
                >
                  Retry {jobs === 1 ? "it" : `all ${jobs.toLocaleString("en")}`}
                  <span className="visually-hidden">: {reason}</span>
                </Button>
              )}
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

function wasCancelled({ error_message: message }: JobQueue["failures"][number]): boolean {
  return isCancelled({ status: "failed", error_message: message });
}

/** Why there are fewer than in the list of jobs. */
function scopeOf(shown: number, failed: number): string {
  if (shown === failed) return "Their documents were not sent again since.";
  return `Of ${failed.toLocaleString("en")} failed or cancelled jobs the ${shown.toLocaleString("en")} whose documents were not sent again since.`;
}

function isWorthIt({ can_retry: can, error_message: reason }: JobQueue["failures"][number]): boolean {
  return can && isWorthRetrying(reason);
}
