import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { projectQuery, projectStatsQuery, projectsQuery } from "../../../api/projects.ts";
import { service } from "../../../api/service.ts";
import { toasts } from "../../../app/toasts/toast-store.ts";
import { Button } from "../../../components/button.tsx";
import { ConfirmDialog } from "../../../components/confirm-dialog.tsx";
import { counted } from "../../../components/counted.ts";
import { Section } from "../../../components/section.tsx";

export function DeleteProject({ projectId, name }: { readonly projectId: string; readonly name: string }) {
  const [isAsking, setAsking] = useState(false);
  const { data: stats } = useQuery({ ...projectStatsQuery(projectId), enabled: isAsking });
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const remove = async () => {
    await service.projects.delete(projectId);
    toasts.show({ text: `The project “${name}” was deleted.` });
    await navigate({ to: "/projects" });
    queryClient.removeQueries({ queryKey: projectQuery(projectId).queryKey });
    await queryClient.invalidateQueries({ queryKey: projectsQuery.queryKey, exact: true });
  };
  return (
    <Section
      title="Delete this project"
      description="Deletes its documents, graph and jobs permanently. The ontology that it uses is kept."
      action={
        <Button variant="danger" onPress={() => setAsking(true)}>
          Delete project
        </Button>
      }
    >
      {isAsking && (
        <ConfirmDialog
          title={`Delete “${name}”?`}
          action="Delete permanently"
          typed={name}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          {stats !== undefined && `It has ${counted(stats.documents, "document")}. `}
          Everything in it is deleted and cannot be restored.
        </ConfirmDialog>
      )}
    </Section>
  );
}
