import type { DocumentList, JobQueue } from "@kcs/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useRef } from "react";
import { useHiddenDocuments } from "../../../api/deletions.ts";
import { documentsQuery } from "../../../api/documents.ts";
import { Button } from "../../../components/button.tsx";
import { FaultNotice } from "../../../components/fault-notice.tsx";
import { Section } from "../../../components/section.tsx";
import { adviceOf, isCancelled, isWorthRetrying } from "../../../jobs/advice.ts";
import { JobDocument } from "../../../jobs/job-document.tsx";
import { failureScope } from "../../../jobs/queue-words.ts";
import styles from "./failures.module.css";
import { useJobChange } from "./use-job-change.ts";

type Failure = JobQueue["failures"][number];

/** Documents that are named for one reason. */
const maxNamed = 3;

/** Why jobs failed or were cancelled whose document was not sent again since, and a way to retry all that failed for one reason. */
export function Failures({ projectId, queue }: { readonly projectId: string; readonly queue: JobQueue }) {
  const hidden = useHiddenDocuments(projectId);
  const { data } = useQuery({ ...failedDocumentsQuery(projectId), enabled: queue.failures.length > 0 });
  const { failures, failed } = withoutDocuments(queue, data?.documents ?? [], hidden);
  const [cancelled, others] = [failures.filter(wasCancelled), failures.filter((each) => !wasCancelled(each))];
  const shown = failures.reduce((sum, { jobs }) => sum + jobs, 0);
  const scope = failureScope(shown, failed);
  return (
    <>
      <Reasons title="Failures" scope={scope} projectId={projectId} failures={others} />
      <Reasons title="Cancelled" scope={scope} projectId={projectId} failures={cancelled} />
    </>
  );
}

function Reasons({
  title,
  scope,
  projectId,
  failures,
}: {
  readonly title: string;
  readonly scope: string;
  readonly projectId: string;
  readonly failures: readonly Failure[];
}) {
  const { change, changing } = useJobChange(projectId);
  if (failures.length === 0) return null;
  const retryable = failures.filter(isWorthIt);
  const retry = (...reasons: readonly string[]) => change({ action: "retryAll", reasons });
  return (
    <Section
      title={title}
      description={scope}
      action={
        retryable.length > 1 && (
          <Button
            size="small"
            isPending={changing.isPending}
            onPress={() => retry(...retryable.map(({ error_message: reason }) => reason))}
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
                {adviceOf(reason)}
                <DocumentsOf projectId={projectId} failure={failure} />
              </span>
              {isWorthIt(failure) && (
                <Button size="small" isPending={changing.isPending} onPress={() => retry(reason)}>
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

/** Whether the documents are still read that the failures of a queue name; only before the page is shown: a first failure must not close its dialogs. */
export function useAreNamesPending(projectId: string, queue: JobQueue | undefined): boolean {
  const hasFailures = queue !== undefined && queue.failures.length > 0;
  const { isPending } = useQuery({ ...failedDocumentsQuery(projectId), enabled: hasFailures });
  const isShown = useRef(false);
  const isAwaited = hasFailures && isPending && !isShown.current;
  if (queue !== undefined && !isAwaited) isShown.current = true;
  return isAwaited;
}

function failedDocumentsQuery(projectId: string) {
  return documentsQuery(projectId, { find: "", from: 0, state: "failed" });
}

/** Some of the documents, and a way to all. The queue has only their number. */
function DocumentsOf({ projectId, failure }: { readonly projectId: string; readonly failure: Failure }) {
  const { data } = useQuery(failedDocumentsQuery(projectId));
  const hidden = useHiddenDocuments(projectId);
  const named = (data?.documents ?? [])
    .filter(({ error_message: reason }) => reason === failure.error_message)
    .filter(({ source_doc_id: id }) => !hidden.has(id))
    .slice(0, maxNamed);
  if (named.length === 0) return null;
  const more = failure.jobs - named.length;
  return (
    <span className={styles.documents}>
      {named.map(({ source_doc_id: id }) => (
        <JobDocument key={id} job={{ source_doc_id: id, project_id: projectId }} />
      ))}
      {more > 0 && (
        <Link to="/projects/$projectId/documents" params={{ projectId }} search={{ state: "failed" }}>
          and {more.toLocaleString("en")} more
        </Link>
      )}
    </span>
  );
}

/** The service still counts those that are about to be deleted. */
function withoutDocuments(
  { failures, failed }: JobQueue,
  documents: DocumentList["documents"],
  hidden: ReadonlySet<string>,
): Pick<JobQueue, "failures" | "failed"> {
  const gone = documents.filter(({ source_doc_id: id }) => hidden.has(id));
  const left = failures.map((failure) => {
    const without = gone.filter(({ error_message: reason }) => reason === failure.error_message).length;
    return { ...failure, jobs: failure.jobs - without };
  });
  return { failures: left.filter(({ jobs }) => jobs > 0), failed: failed - gone.length };
}

function wasCancelled({ error_message: message }: Failure): boolean {
  return isCancelled({ status: "failed", error_message: message });
}

function isWorthIt({ can_retry: can, error_message: reason }: Failure): boolean {
  return can && isWorthRetrying(reason);
}
