import type { JobQueue } from "@kcs/sdk";
import { Button } from "../../../components/button.tsx";
import { FaultNotice } from "../../../components/fault-notice.tsx";
import { Section } from "../../../components/section.tsx";
import { adviceOf, isWorthRetrying } from "../../../jobs/advice.ts";
import styles from "./failures.module.css";
import { useJobChange } from "./use-job-change.ts";

/** Why jobs failed whose document was not sent again since, and a way to retry all that failed for one reason. */
export function Failures({
  projectId,
  queue: { failures },
}: {
  readonly projectId: string;
  readonly queue: JobQueue;
}) {
  const { change, changing } = useJobChange(projectId);
  if (failures.length === 0) return null;
  const retryable = failures.filter(isWorthIt);
  return (
    <Section
      title="Failures"
      description="Documents that were not sent again since."
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
              <span className={styles.count}>{jobs.toLocaleString("en")}</span>
              <span className={styles.reason}>{adviceOf(reason)}</span>
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

function isWorthIt({ can_retry: can, error_message: reason }: JobQueue["failures"][number]): boolean {
  return can && isWorthRetrying(reason);
}
