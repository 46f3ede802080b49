import type { ProjectStats } from "@kcs/sdk";
import { useQuery } from "@tanstack/react-query";
import { useDocumentCounts } from "../../api/document-counts.ts";
import { projectStatsQuery } from "../../api/projects.ts";
import { useSeen } from "../../components/use-seen.ts";

/** The counts in this list need not be exact. */
const staleMs = 60_000;

/** A count of a project. Loaded when the row becomes visible, because each project needs a request. */
export function ProjectCount({
  projectId,
  of,
}: {
  readonly projectId: string;
  readonly of: "documents" | "chunks";
}) {
  const { ref, isSeen } = useSeen<HTMLSpanElement>();
  const { data } = useQuery({ ...projectStatsQuery(projectId), enabled: isSeen, staleTime: staleMs });
  return (
    <span ref={ref}>
      {of === "documents" ? (
        <Documents projectId={projectId} stats={data} />
      ) : (
        (data?.chunks.toLocaleString("en") ?? "–")
      )}
    </span>
  );
}

/** What failed or was cancelled is no document that the project has. */
function Documents({
  projectId,
  stats,
}: {
  readonly projectId: string;
  readonly stats: ProjectStats | undefined;
}) {
  const counts = useDocumentCounts(projectId, stats);
  if (stats === undefined || counts == null) return "–";
  const sent = counts.searchable + counts.waiting;
  return `${sent.toLocaleString("en")}${stats.chunks === 0 && sent > 0 ? ", none searchable" : ""}`;
}
