import type { ListedProject } from "@kcs/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { lazy, Suspense, useCallback, useState } from "react";
import { projectsQuery } from "../api/projects.ts";
import { patient } from "../app/patient-import.ts";
import { Button } from "../components/button.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { PageFault } from "../components/page-fault.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { Pager } from "../components/pager.tsx";
import { ProjectKind } from "../components/project-kind.tsx";
import { SearchField } from "../components/search-field.tsx";
import { PageSkeleton } from "../components/skeleton.tsx";
import { type Column, Table } from "../components/table.tsx";
import { Time } from "../components/time.tsx";
import { Welcome } from "../first-run/welcome.tsx";
import { ProjectCount } from "./projects/project-count.tsx";
import styles from "./projects.module.css";

/** Most visits create none. It is loaded when the button gets the pointer or the focus. */
const loadDialog = patient(async () => {
  const { CreateProjectDialog: Loaded } = await import("./projects/create-project-dialog.tsx");
  return { default: Loaded };
});
const CreateProjectDialog = lazy(loadDialog);

/** Up to this number of projects there is no search field. */
const maxWithoutSearch = 10;
const pageSize = 50;

export function ProjectsPage() {
  const { data, error } = useQuery(projectsQuery);
  const { new: isCreating = false } = useSearch({ from: "/signed-in/projects" });
  const navigate = useNavigate({ from: "/projects" });
  const setCreating = (isOpen: boolean) =>
    void navigate({ search: isOpen ? { new: true } : {}, replace: true, resetScroll: false });
  const create = (
    <Button
      variant="primary"
      onPress={() => setCreating(true)}
      onHoverStart={() => void loadDialog()}
      onFocus={() => void loadDialog()}
    >
      <Plus aria-hidden size={16} /> New project
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Projects"
        description="Each project has its own documents, and its answers use only those."
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
        <ProjectList projects={data.projects} />
      )}
      {isCreating && (
        <Suspense>
          <CreateProjectDialog onClose={() => setCreating(false)} />
        </Suspense>
      )}
    </>
  );
}

/** Searches all projects by name. Counts are loaded only for visible rows. */
function ProjectList({ projects }: { readonly projects: readonly ListedProject[] }) {
  const [find, setFind] = useState("");
  const [from, setFrom] = useState(0);
  const search = useCallback((text: string) => {
    setFind(text);
    setFrom(0);
  }, []);
  const found = projects.filter(({ name }) => name.toLowerCase().includes(find.trim().toLowerCase()));
  const shown = found.slice(from, from + pageSize);
  return (
    <div className={styles.page}>
      {projects.length > maxWithoutSearch && (
        <SearchField label="Find by name" value={find} onSearch={search} />
      )}
      {found.length === 0 ? (
        <EmptyState title="Nothing found" action={<Button onPress={() => search("")}>Show all</Button>}>
          No project has “{find}” in its name.
        </EmptyState>
      ) : (
        <Table label="Projects" columns={columns} rows={shown} keyOf={({ project_id: id }) => id} />
      )}
      <Pager from={from} shown={shown.length} pageSize={pageSize} total={found.length} onChange={setFrom} />
    </div>
  );
}

const columns: readonly Column<ListedProject>[] = [
  {
    title: "Name",
    cell: ({ project_id: projectId, name }) => (
      <Link to="/projects/$projectId" params={{ projectId }} dir="auto">
        {name}
      </Link>
    ),
  },
  { title: "Kind", cell: (project) => <ProjectKind project={project} /> },
  {
    title: "Documents",
    isNumber: true,
    cell: ({ project_id: projectId }) => <ProjectCount projectId={projectId} of="documents" />,
  },
  {
    title: "Chunks",
    isNumber: true,
    cell: ({ project_id: projectId }) => <ProjectCount projectId={projectId} of="chunks" />,
  },
  { title: "Created", cell: ({ created_at: at }) => <Time at={at} /> },
];
