import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { projectStatsQuery, projectsQuery } from "../api/projects.ts";
import { Button } from "../components/button.tsx";
import { PageFault } from "../components/page-fault.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { ProjectKind } from "../components/project-kind.tsx";
import { PageSkeleton } from "../components/skeleton.tsx";
import { type Column, Table } from "../components/table.tsx";
import { Time } from "../components/time.tsx";
import { Welcome } from "../first-run/welcome.tsx";
import { CreateProjectDialog } from "./projects/create-project-dialog.tsx";

export function ProjectsPage() {
  const { data, error } = useQuery(projectsQuery);
  const [isCreating, setCreating] = useState(false);
  const create = (
    <Button variant="primary" onPress={() => setCreating(true)}>
      <Plus aria-hidden size={16} /> New project
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Projects"
        description="Each holds documents of its own, and answers from them alone."
      >
        {data !== undefined && data.projects.length > 0 && create}
      </PageHeader>
      {error !== null ? (
        <PageFault error={error} />
      ) : data === undefined ? (
        <PageSkeleton />
      ) : data.projects.length === 0 ? (
        <Welcome onCreate={() => setCreating(true)} />
      ) : (
        <Table
          label="Projects"
          columns={columns}
          rows={data.projects}
          keyOf={(project) => project.project_id}
        />
      )}
      {isCreating && <CreateProjectDialog onClose={() => setCreating(false)} />}
    </>
  );
}

type ListedProject = NonNullable<
  Awaited<ReturnType<NonNullable<typeof projectsQuery.queryFn>>>
>["projects"][number];

const columns: readonly Column<ListedProject>[] = [
  {
    title: "Name",
    cell: (project) => (
      <Link to="/projects/$projectId" params={{ projectId: project.project_id }}>
        {project.name}
      </Link>
    ),
  },
  {
    title: "Kind",
    cell: (project) => <ProjectKind project={project} />,
  },
  {
    title: "Documents",
    isNumber: true,
    cell: (project) => <Count projectId={project.project_id} of="documents" />,
  },
  {
    title: "Chunks",
    isNumber: true,
    cell: (project) => <Count projectId={project.project_id} of="chunks" />,
  },
  { title: "Created", cell: (project) => <Time at={project.created_at} /> },
];

function Count({ projectId, of }: { readonly projectId: string; readonly of: "documents" | "chunks" }) {
  const { data } = useQuery(projectStatsQuery(projectId));
  return data === undefined ? "–" : data[of].toLocaleString("en");
}
