import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { type BoundProjects, ontologiesQuery } from "../../api/ontologies.ts";
import { projectConfigQuery, projectQuery } from "../../api/projects.ts";
import { Button } from "../../components/button.tsx";
import { counted } from "../../components/counted.ts";
import { Notice } from "../../components/notice.tsx";
import { ChangeDialog } from "../project/settings/change-dialog.tsx";
import styles from "./use-in-project.module.css";

/** Leads to what the newest version means for the projects that use an earlier one, and for the one that the ontology was begun from. */
export function UseInProjects({
  ontologyId,
  bound,
  begunFrom,
}: {
  readonly ontologyId: string;
  readonly bound: BoundProjects | undefined;
  readonly begunFrom: string | undefined;
}) {
  const { named = [], count = 0 } = bound?.earlier ?? {};
  const ids = new Set(named.map(({ id }) => id));
  const more = count - ids.size;
  if (begunFrom !== undefined) ids.add(begunFrom);
  if (ids.size === 0) return null;
  return (
    <div className={styles.projects}>
      {[...ids].map((id) => (
        <UseInProject key={id} projectId={id} ontologyId={ontologyId} newest={bound?.newest ?? 1} />
      ))}
      {more > 0 && (
        <p>
          {counted(more, "more project uses", "more projects use")} an earlier version. The settings of a
          project change it.
        </p>
      )}
    </div>
  );
}

function UseInProject({
  projectId,
  ontologyId,
  newest,
}: {
  readonly projectId: string;
  readonly ontologyId: string;
  readonly newest: number;
}) {
  const { data: project } = useQuery(projectQuery(projectId));
  const { data: config } = useQuery(projectConfigQuery(projectId));
  const { data: listed } = useQuery(ontologiesQuery);
  const [isOpen, setOpen] = useState(false);
  const navigate = useNavigate();
  if (project === undefined || config === undefined || listed === undefined) return null;
  const used = config.ontology?.id === ontologyId ? config.ontology.version : null;
  if (used !== null && used >= newest) return null;
  return (
    <Notice>
      <span className={styles.line}>
        <span>
          <bdi>{project.name}</bdi>{" "}
          {used === null ? "does not use this ontology yet." : `uses version ${used}.`}
        </span>
        <Button size="small" variant="primary" onPress={() => setOpen(true)}>
          <span>
            Use {used === null ? "it" : `version ${newest}`} in <bdi>{project.name}</bdi>
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
