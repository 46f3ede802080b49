/** How many documents of a project can be searched, and how many cannot. */
import type { ProjectStats } from "@kcs/sdk";
import { useQuery } from "@tanstack/react-query";
import { type DocumentState, documentsQuery } from "./documents.ts";

export interface DocumentCounts {
  /** With a text that questions see; some of these may be replaced at present. */
  readonly searchable: number;
  /** Sent, and not read to the end for the first time. */
  readonly waiting: number;
  /** Without a text, because their jobs failed or were cancelled. */
  readonly failed: number;
}

/** null while they are read. The project's numbers have the documents of any state. */
export function useDocumentCounts(projectId: string, stats: ProjectStats | undefined): DocumentCounts | null {
  const jobs = stats?.jobs;
  const isBusy = jobs !== undefined && jobs.pending + jobs.running > 0;
  // Without such jobs there are no such documents, and nothing is asked for.
  const pending = useCount(projectId, "pending", isBusy);
  const running = useCount(projectId, "running", isBusy);
  const failed = useCount(projectId, "failed", jobs !== undefined && jobs.failed > 0);
  if (stats === undefined || pending === null || running === null || failed === null) return null;
  const waiting = pending + running;
  return { searchable: Math.max(0, stats.documents - waiting - failed), waiting, failed };
}

const pollMs = 4_000;

function useCount(projectId: string, state: DocumentState, isAsked: boolean): number | null {
  const { data } = useQuery({
    ...documentsQuery(projectId, { find: "", from: 0, state, limit: 1 }),
    enabled: isAsked,
    refetchInterval: state === "failed" ? false : pollMs,
  });
  return isAsked ? (data?.total ?? null) : 0;
}
