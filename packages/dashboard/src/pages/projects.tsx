import { useQuery } from "@tanstack/react-query";
import { projectsQuery } from "../api/projects.ts";
import { EmptyState } from "../components/empty-state.tsx";
import { PageFault } from "../components/page-fault.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { PageSkeleton } from "../components/skeleton.tsx";

export function ProjectsPage() {
  const { data, error } = useQuery(projectsQuery);
  return (
    <>
      <PageHeader
        title="Projects"
        description="Each holds documents of its own, and answers from them alone."
      />
      {error !== null ? (
        <PageFault error={error} />
      ) : data === undefined ? (
        <PageSkeleton />
      ) : data.projects.length === 0 ? (
        <EmptyState title="No project yet">
          A project holds documents and answers questions about them.
        </EmptyState>
      ) : (
        <ul>
          {data.projects.map((project) => (
            <li key={project.project_id}>{project.name}</li>
          ))}
        </ul>
      )}
    </>
  );
}
