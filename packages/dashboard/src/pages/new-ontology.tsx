import { type ReadyOntology, type ReadyOntologyName, readyOntologies } from "@kcs/contract/ready-ontologies";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ChoiceChips } from "../components/choice-chips.tsx";
import { PageFault } from "../components/page-fault.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { PageSkeleton } from "../components/skeleton.tsx";
import styles from "./new-ontology.module.css";
import { NewFromFile } from "./ontologies/new-from-file.tsx";
import { readyMade } from "./ontologies/ready-made.ts";
import { emptySchema } from "./ontologies/schema-draft.ts";
import { SchemaEditor } from "./ontologies/schema-editor.tsx";

type Beginning = "empty" | "file" | ReadyOntologyName;

const beginnings: readonly { readonly id: Beginning; readonly label: string }[] = [
  { id: "empty", label: "Empty" },
  { id: "file", label: "A file" },
  ...readyMade,
];

/** Each beginning keeps a draft of its own. */
export function NewOntologyPage() {
  const [beginning, setBeginning] = useState<Beginning>("empty");
  const { data, error } = useQuery({
    queryKey: ["ready-ontology", beginning],
    queryFn: () => loadBeginning(beginning),
    enabled: beginning !== "file",
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <>
      <PageHeader
        title="New ontology"
        description="Begin with a ready-made one or a file, or add the node types first, then the relationships between them."
      />
      <div className={styles.beginnings}>
        <ChoiceChips label="Begin with" choices={beginnings} chosen={beginning} onChange={setBeginning} />
      </div>
      {beginning === "file" ? (
        <NewFromFile />
      ) : error !== null ? (
        <PageFault error={error} />
      ) : data === undefined ? (
        <PageSkeleton />
      ) : (
        <SchemaEditor
          key={beginning}
          place={beginning === "empty" ? "new" : `new-${beginning}`}
          name={data.name}
          schema={data.schema}
          action="Save"
        />
      )}
    </>
  );
}

async function loadBeginning(beginning: Beginning): Promise<ReadyOntology> {
  if (beginning === "empty" || beginning === "file") return { name: "", schema: emptySchema };
  return (await readyOntologies[beginning]()).default;
}
