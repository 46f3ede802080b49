/** How many documents of a project can be searched, and how many cannot. */
import type { ProjectStats } from "@kcs/sdk";
import { useQuery } from "@tanstack/react-query";
import { type DocumentState, documentsQuery } from "./documents.ts";
import { projectStatsQuery } from "./projects.ts";

export interface DocumentCounts {
  /** With a text that questions see; some of these may be replaced at present. */
  readonly searchable: number;
  /** Sent, and not read to the end for the first time. */
  readonly waiting: number;
  /** Without a text, because their jobs failed or were cancelled. */
  readonly failed: number;
}

/** undefined while they are read, null where they cannot be. The project's numbers have the documents of any state. */
export function useDocumentCounts(
  projectId: string,
  stats: ProjectStats | undefined,
): DocumentCounts | null | undefined {
  const jobs = stats?.jobs;
  const isBusy = jobs !== undefined && jobs.pending + jobs.running > 0;
  // Without such jobs there are no such documents, and nothing is asked for.
  const pending = useCount(projectId, "pending", isBusy);
  const running = useCount(projectId, "running", isBusy);
  const failed = useCount(projectId, "failed", jobs !== undefined && jobs.failed > 0);
  if (stats === undefined) return undefined;
  if (pending === undefined || running === undefined || failed === undefined) return undefined;
  if (pending === null || running === null || failed === null) return null;
  const waiting = pending + running;
  return { searchable: Math.max(0, stats.documents - waiting - failed), waiting, failed };
}

/** How many documents are in a state; "all": in any. */
export type StateCounts = Partial<Readonly<Record<DocumentState | "all", number>>>;

/**
 * Of the states of which it is known without a request for each: while jobs run, only that of failed documents is. undefined
 * while it is read.
 */
export function useStateCounts(projectId: string): StateCounts | undefined {
  const { data: stats, error } = useQuery(projectStatsQuery(projectId));
  const failed = useCount(projectId, "failed", stats !== undefined && stats.jobs.failed > 0);
  if (failed === null || error !== null) return {};
  if (stats === undefined || failed === undefined) return undefined;
  const { documents: all, jobs } = stats;
  if (jobs.pending + jobs.running > 0) return { all, failed };
  return { all, indexed: Math.max(0, all - failed), replacing: 0, pending: 0, running: 0, failed };
}

const pollMs = 4_000;

function useCount(projectId: string, state: DocumentState, isAsked: boolean): number | null | undefined {
  const { data, error } = useQuery({
    ...documentsQuery(projectId, { find: "", from: 0, state, limit: 1 }),
    enabled: isAsked,
    refetchInterval: state === "failed" ? false : pollMs,
  });
  if (!isAsked) return 0;
  return data?.total ?? (error === null ? undefined : null);
}
