import type { OntologyVersionList } from "@kcs/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { ontologyQuery, ontologyVersionsQuery } from "../api/ontologies.ts";
import { Button } from "../components/button.tsx";
import { PageFault } from "../components/page-fault.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { Section } from "../components/section.tsx";
import { PageSkeleton } from "../components/skeleton.tsx";
import { type Column, Table } from "../components/table.tsx";
import { Time } from "../components/time.tsx";
import { DeleteOntologyDialog } from "./ontologies/delete-ontology-dialog.tsx";
import { SchemaEditor } from "./ontologies/schema-editor.tsx";
import { CreateProjectDialog } from "./projects/create-project-dialog.tsx";

/** Shows an ontology, which can be edited and saved as its next version or as a new one. */
export function OntologyPage() {
  const { ontologyId } = useParams({ from: "/signed-in/ontologies/$ontologyId" });
  const { data: ontology, error } = useQuery(ontologyQuery(ontologyId));
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
        <Button variant="danger" onPress={() => setDialog("delete")}>
          Delete
        </Button>
        <Button onPress={() => setDialog("create")}>
          <Plus aria-hidden size={16} /> New project with this
        </Button>
      </PageHeader>
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
      <Versions ontologyId={ontologyId} />
    </>
  );
}

function Versions({ ontologyId }: { readonly ontologyId: string }) {
  const { data } = useQuery(ontologyVersionsQuery(ontologyId));
  if (data === undefined) return null;
  return (
    <Section title="Versions">
      <Table
        label="Versions"
        columns={columns}
        rows={data.versions}
        keyOf={({ version }) => String(version)}
      />
    </Section>
  );
}

const columns: readonly Column<OntologyVersionList["versions"][number]>[] = [
  { title: "Version", cell: ({ version }) => version },
  { title: "Name", cell: ({ name }) => <bdi>{name}</bdi> },
  { title: "Projects", isNumber: true, cell: ({ projects }) => projects.toLocaleString("en") },
  { title: "Saved", cell: ({ created_at: at }) => <Time at={at} /> },
];
