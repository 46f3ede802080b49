import { useQuery, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { projectQuery, projectStatsQuery, projectsQuery } from "../../api/projects.ts";
import { service } from "../../api/service.ts";
import { Button } from "../../components/button.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { Figures } from "../../components/figures.tsx";
import { PageFault } from "../../components/page-fault.tsx";
import { PageSkeleton } from "../../components/skeleton.tsx";
import styles from "./overview.module.css";

export function OverviewPage() {
  const { projectId } = useParams({ from: "/signed-in/projects/$projectId" });
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const { data: stats, error } = useQuery(projectStatsQuery(projectId));
  const [isDeleting, setDeleting] = useState(false);
  if (error !== null) return <PageFault error={error} />;
  if (stats === undefined) return <PageSkeleton />;
  const graph = [
    { label: "Entities", value: sum(stats.entities_by_type) },
    { label: "Relationships", value: sum(stats.relationships_by_type) },
  ];
  return (
    <div className={styles.page}>
      <Figures
        items={[
          { label: "Documents", value: stats.documents },
          { label: "Chunks", value: stats.chunks },
          ...(project.mode === "vector_only" ? [] : graph),
        ]}
      />
      <section className={styles.danger} aria-labelledby="delete-project">
        <div>
          <h2 id="delete-project">Delete this project</h2>
          <p>Its documents, graph and jobs go for good. An ontology that it uses stays.</p>
        </div>
        <Button variant="danger" onPress={() => setDeleting(true)}>
          Delete project
        </Button>
      </section>
      {isDeleting && (
        <DeleteDialog projectId={projectId} name={project.name} onClose={() => setDeleting(false)} />
      )}
    </div>
  );
}

function sum(counts: readonly { readonly count: number }[]): number {
  return counts.reduce((total, { count }) => total + count, 0);
}

function DeleteDialog({
  projectId,
  name,
  onClose,
}: {
  readonly projectId: string;
  readonly name: string;
  readonly onClose: () => void;
}) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const remove = async () => {
    await service.projects.delete(projectId);
    queryClient.removeQueries({ queryKey: projectQuery(projectId).queryKey });
    await queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey, exact: true });
    await navigate({ to: "/projects" });
  };
  return (
    <ConfirmDialog
      title={`Delete “${name}”?`}
      action="Delete for good"
      typed={name}
      onConfirm={remove}
      onClose={onClose}
    >
      Everything in it is removed and cannot be brought back.
    </ConfirmDialog>
  );
}
