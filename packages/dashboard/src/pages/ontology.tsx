import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { ontologyQuery } from "../api/ontologies.ts";
import { PageFault } from "../components/page-fault.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { PageSkeleton } from "../components/skeleton.tsx";
import { SchemaEditor } from "./ontologies/schema-editor.tsx";

/** Shows an ontology, which can be edited and saved as a new one. */
export function OntologyPage() {
  const { ontologyId } = useParams({ from: "/signed-in/ontologies/$ontologyId" });
  const { data: ontology, error } = useQuery(ontologyQuery(ontologyId));
  if (error !== null) return <PageFault error={error} />;
  if (ontology === undefined) return <PageSkeleton />;
  return (
    <>
      <PageHeader
        title={ontology.name}
        description="An ontology cannot be changed. Saving creates a new one; this ontology and its projects stay as they are."
      />
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
