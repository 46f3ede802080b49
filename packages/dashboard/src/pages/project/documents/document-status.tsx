import type { DocumentState } from "../../../api/documents.ts";
import { Badge, type BadgeKind } from "../../../components/badge.tsx";
import { adviceOf, isCancelled } from "../../../jobs/advice.ts";
import { stateWords } from "../../../jobs/job-state.tsx";
import styles from "./document-status.module.css";

export const stateNames = {
  indexed: stateWords.completed,
  replacing: "Being replaced",
  pending: stateWords.pending,
  running: stateWords.running,
  failed: stateWords.failed,
} as const satisfies Record<DocumentState, string>;

const kinds = {
  indexed: "good",
  replacing: "accent",
  pending: "plain",
  running: "accent",
  failed: "bad",
} as const satisfies Record<DocumentState, BadgeKind>;

/** What queries see of a document, and why its last job failed, if it did. */
export function DocumentStatus({
  document: { status, error_message: fault },
  isShort = false,
}: {
  readonly document: { readonly status: DocumentState; readonly error_message: string | null };
  /** Without the reason, which stands elsewhere. */
  readonly isShort?: boolean;
}) {
  const isStopped = isCancelled({ status: "failed", error_message: fault });
  return (
    <span className={styles.status}>
      {isStopped && status === "failed" ? (
        <Badge>Cancelled</Badge>
      ) : (
        <Badge kind={kinds[status]}>{stateNames[status]}</Badge>
      )}
      {fault !== null && status === "indexed" && (
        <Badge kind={isStopped ? "plain" : "bad"}>
          {isStopped ? "Last ingest cancelled" : "Last ingest failed"}
        </Badge>
      )}
      {fault !== null && !isShort && <span className={styles.fault}>{adviceOf(fault)}</span>}
    </span>
  );
}
