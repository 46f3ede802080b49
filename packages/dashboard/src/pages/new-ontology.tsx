import { PageHeader } from "../components/page-header.tsx";
import { emptySchema } from "./ontologies/schema-draft.ts";
import { SchemaEditor } from "./ontologies/schema-editor.tsx";

export function NewOntologyPage() {
  return (
    <>
      <PageHeader
        title="New ontology"
        description="Add the node types first, then the relationships between them."
      />
      <SchemaEditor place="new" name="" schema={emptySchema} action="Save" />
    </>
  );
}
