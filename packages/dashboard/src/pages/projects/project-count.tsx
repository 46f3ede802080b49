import { useQuery } from "@tanstack/react-query";
import { projectStatsQuery } from "../../api/projects.ts";
import { useSeen } from "../../components/use-seen.ts";

/** Counts change slowly where nobody looks. */
const staleMs = 60_000;

/** How much of something a project has; asked for when it comes into view, as each project is a request of its own. */
export function ProjectCount({
  projectId,
  of,
}: {
  readonly projectId: string;
  readonly of: "documents" | "chunks";
}) {
  const { ref, isSeen } = useSeen<HTMLSpanElement>();
  const { data } = useQuery({ ...projectStatsQuery(projectId), enabled: isSeen, staleTime: staleMs });
  return <span ref={ref}>{data === undefined ? "–" : data[of].toLocaleString("en")}</span>;
}
