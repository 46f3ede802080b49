import type { Job } from "@kcs/sdk";
import { Link } from "@tanstack/react-router";

/** The name of a job's document; a link unless the document is gone. */
export function JobDocument({
  job: { source_doc_id: id, project_id: projectId },
  isGone = false,
}: {
  readonly job: Pick<Job, "source_doc_id" | "project_id">;
  readonly isGone?: boolean;
}) {
  if (isGone) return <bdi>{id}</bdi>;
  return (
    <Link to="/projects/$projectId/document" params={{ projectId }} search={{ id }} dir="auto">
      {id}
    </Link>
  );
}
