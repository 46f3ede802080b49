import { useQuery } from "@tanstack/react-query";
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
  const isUnread = of === "documents" && data?.chunks === 0 && data.documents > 0;
  return (
    <span ref={ref}>
      {data === undefined ? "–" : data[of].toLocaleString("en")}
      {isUnread && ", none searchable"}
    </span>
  );
}
