import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import {
  type BoundProjects,
  boundProjectsQuery,
  ontologyQuery,
  ontologyVersionsQuery,
} from "../api/ontologies.ts";
import { Button } from "../components/button.tsx";
import { PageFault } from "../components/page-fault.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { PageSkeleton } from "../components/skeleton.tsx";
import { DeleteOntologyDialog } from "./ontologies/delete-ontology-dialog.tsx";
import { OntologyDownloads } from "./ontologies/ontology-downloads.tsx";
import { SchemaEditor } from "./ontologies/schema-editor.tsx";
import { UseInProjects } from "./ontologies/use-in-project.tsx";
import { UsedIn } from "./ontologies/used-in.tsx";
import { VersionList } from "./ontologies/version-list.tsx";
import styles from "./ontology.module.css";
import { CreateProjectDialog } from "./projects/create-project-dialog.tsx";

/** Shows an ontology, which can be edited and saved as its next version or as a new one. */
export function OntologyPage() {
  const { ontologyId } = useParams({ from: "/signed-in/ontologies/$ontologyId" });
  const { data: ontology, error } = useQuery(ontologyQuery(ontologyId));
  const { data: bound } = useQuery(boundProjectsQuery(ontologyId));
  const { data: listed } = useQuery(ontologyVersionsQuery(ontologyId));
  const { project } = useSearch({ from: "/signed-in/ontologies/$ontologyId" });
  const [dialog, setDialog] = useState<"create" | "delete" | null>(null);
  const navigate = useNavigate();
  if (error !== null)
    return <PageFault error={error} wayBack={<Link to="/ontologies">Back to the ontologies</Link>} />;
  if (ontology === undefined) return <PageSkeleton />;
  return (
    <>
      <PageHeader
        title={ontology.name}
        description="Saving a change makes a new version. Projects stay with the version that they have until you change it in their settings."
      >
        <Button variant="danger" isDisabled={bound?.count !== 0} onPress={() => setDialog("delete")}>
          Delete
        </Button>
        <Button onPress={() => setDialog("create")}>
          <Plus aria-hidden size={16} /> New project with this
        </Button>
      </PageHeader>
      <Use projects={bound} version={listed?.versions[0]?.version} />
      <div className={styles.page}>
        <UseInProjects ontologyId={ontologyId} bound={bound} begunFrom={project} />
        {dialog === "create" && (
          <CreateProjectDialog ontologyId={ontology.id} onClose={() => setDialog(null)} />
        )}
        {dialog === "delete" && (
          <DeleteOntologyDialog
            ontology={ontology}
            onDeleted={() => navigate({ to: "/ontologies" })}
            onClose={() => setDialog(null)}
          />
        )}
        <SchemaEditor
          // A new version is another schema to begin with.
          key={JSON.stringify(ontology)}
          place={ontology.id}
          name={ontology.name}
          schema={ontology.schema}
          action="Save as a new ontology"
          versionOf={ontology.id}
        />
        <VersionList ontologyId={ontologyId} />
        <OntologyDownloads ontologyId={ontologyId} name={ontology.name} />
      </div>
    </>
  );
}

/** Where it is used, which is why it cannot be deleted. The line is there from the beginning: nothing may move. */
function Use({
  projects,
  version,
}: {
  readonly projects: BoundProjects | undefined;
  /** The newest, which is shown. */
  readonly version: number | undefined;
}) {
  return (
    <p className={styles.used}>
      Version {version ?? "…"}.{" "}
      {projects === undefined ? (
        "Used in …"
      ) : projects.count === 0 ? (
        "No project uses it."
      ) : (
        <>
          Used in <UsedIn projects={projects} />. It can be deleted when no project uses it.
        </>
      )}
    </p>
  );
}
