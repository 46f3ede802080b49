/** What has become of the document of a failed job since. */
import type { DocumentList, Job } from "@kcs/sdk";

/**
 * `failed`: the document has no version, and this was its last job. `outdated`: queries see its version before.
 * `retried`: it was sent again. null: unknown.
 */
export type JobFate = "failed" | "outdated" | "retried" | "deleted" | null;

export function fateOf(
  {
    job_id: jobId,
    source_doc_id: id,
    completed_at: end,
  }: Pick<Job, "job_id" | "source_doc_id" | "completed_at">,
  latest: Pick<DocumentList, "documents" | "total"> | undefined,
): JobFate {
  if (latest === undefined) return null;
  const document = latest.documents.find(({ source_doc_id: each }) => each === id);
  if (document === undefined) return latest.total > latest.documents.length ? null : "deleted";
  const { job_id: last, status, updated_at: sent } = document;
  if (last === jobId) return status === "failed" ? "failed" : "outdated";
  // A document without a version is not read again: its last job came after this one.
  if (status === "failed") return "retried";
  // A job that reads a document again is never its last one, but nothing was sent since.
  const isSentSince =
    status === "pending" || status === "running" || status === "replacing" || sent > (end ?? "");
  return isSentSince ? "retried" : null;
}
