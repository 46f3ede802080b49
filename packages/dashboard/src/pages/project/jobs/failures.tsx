import type { JobQueue } from "@kcs/sdk";
import { Button } from "../../../components/button.tsx";
import { FaultNotice } from "../../../components/fault-notice.tsx";
import { Section } from "../../../components/section.tsx";
import { adviceOf } from "../../../jobs/job-state.tsx";
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
  const retryable = failures.filter(({ can_retry: can }) => can);
  return (
    <Section
      title="Failures"
      description="Documents that were not sent again since."
      action={
        retryable.length > 1 && (
          <Button
            size="small"
            isPending={changing.isPending}
            onPress={() => change({ action: "retryAll", reason: null })}
          >
            Retry all
          </Button>
        )
      }
    >
      <FaultNotice error={changing.error} />
      <ul className={styles.list}>
        {failures.map(({ error_message: reason, jobs, can_retry: canRetry }) => (
          <li key={reason} className={styles.failure}>
            <span className={styles.count}>{jobs.toLocaleString("en")}</span>
            <span className={styles.reason}>{adviceOf(reason)}</span>
            {canRetry && (
              <Button
                size="small"
                isPending={changing.isPending}
                onPress={() => change({ action: "retryAll", reason })}
              >
                Retry {jobs === 1 ? "it" : `all ${jobs.toLocaleString("en")}`}
                <span className="visually-hidden">: {reason}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
