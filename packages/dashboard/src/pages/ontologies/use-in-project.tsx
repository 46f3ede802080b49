import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { ontologiesQuery } from "../../api/ontologies.ts";
import { projectConfigQuery, projectQuery } from "../../api/projects.ts";
import { Button } from "../../components/button.tsx";
import { Notice } from "../../components/notice.tsx";
import { ChangeDialog } from "../project/settings/change-dialog.tsx";
import styles from "./use-in-project.module.css";

/** Of an ontology that was begun from a project: leads to what it means for the project. */
export function UseInProject({
  projectId,
  ontologyId,
}: {
  readonly projectId: string;
  readonly ontologyId: string;
}) {
  const { data: project } = useQuery(projectQuery(projectId));
  const { data: config } = useQuery(projectConfigQuery(projectId));
  const { data: listed } = useQuery(ontologiesQuery);
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  if (project === undefined || config === undefined || listed === undefined) return null;
  if (config.ontology?.id === ontologyId) return null;
  return (
    <Notice>
      <span className={styles.line}>
        <span>
          <bdi>{project.name}</bdi> does not use this ontology yet.
        </span>
        <Button size="small" variant="primary" onPress={() => setOpen(true)}>
          <span>
            Use it in <bdi>{project.name}</bdi>
          </span>
        </Button>
      </span>
      {isOpen && (
        <ChangeDialog
          projectId={projectId}
          bound={config.ontology}
          ontologies={listed.ontologies}
          first={ontologyId}
          onChanged={() => void navigate({ to: "/projects/$projectId", params: { projectId } })}
          onClose={() => setOpen(false)}
        />
      )}
    </Notice>
  );
}
