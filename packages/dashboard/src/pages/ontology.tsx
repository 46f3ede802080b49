import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { ontologyQuery } from "../api/ontologies.ts";
import { Button } from "../components/button.tsx";
import { PageFault } from "../components/page-fault.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { PageSkeleton } from "../components/skeleton.tsx";
import { SchemaEditor } from "./ontologies/schema-editor.tsx";
import { CreateProjectDialog } from "./projects/create-project-dialog.tsx";

/** Shows an ontology, which can be edited and saved as a new one. */
export function OntologyPage() {
  const { ontologyId } = useParams({ from: "/signed-in/ontologies/$ontologyId" });
  const { data: ontology, error } = useQuery(ontologyQuery(ontologyId));
  const [isCreating, setCreating] = useState(false);
  if (error !== null) return <PageFault error={error} />;
  if (ontology === undefined) return <PageSkeleton />;
  return (
    <>
      <PageHeader
        title={ontology.name}
        description="An ontology cannot be changed. Saving creates a new one; this ontology and its projects stay as they are."
      >
        <Button onPress={() => setCreating(true)}>
          <Plus aria-hidden size={16} /> New project with this
        </Button>
      </PageHeader>
      {isCreating && <CreateProjectDialog ontologyId={ontology.id} onClose={() => setCreating(false)} />}
      <SchemaEditor
        key={ontology.id}
        place={ontology.id}
        name={ontology.name}
        schema={ontology.schema}
        action="Save as a new ontology"
      />
    </>
  );
}
