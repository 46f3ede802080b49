import type { ProjectConfiguration } from "@kcs/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { ontologiesQuery } from "../../../api/ontologies.ts";
import { Button } from "../../../components/button.tsx";
import { Section } from "../../../components/section.tsx";
import { ChangeDialog } from "./change-dialog.tsx";

type Bound = ProjectConfiguration["ontology"];

/** Binds the project to another ontology, or to another version of its own. */
export function ChangeOntology({ projectId, bound }: { readonly projectId: string; readonly bound: Bound }) {
  const { data: listed } = useQuery(ontologiesQuery);
  const [isOpen, setOpen] = useState(false);
  if (listed === undefined) return null;
  return (
    <Section
      title="Ontology"
      description="Another ontology, or another version, can be chosen at any time. All documents are then read again."
      action={<Button onPress={() => setOpen(true)}>Change the ontology</Button>}
    >
      {bound === null && <SuggestLink projectId={projectId} />}
      {isOpen && (
        <ChangeDialog
          projectId={projectId}
          bound={bound}
          ontologies={listed.ontologies}
          onClose={() => setOpen(false)}
        />
      )}
    </Section>
  );
}

/** Of a project without an ontology. */
export function SuggestLink({ projectId }: { readonly projectId: string }) {
  return (
    <p>
      It has none: the types of its graph come from the texts.{" "}
      <Link to="/ontologies/suggest" search={{ project: projectId }}>
        Suggest an ontology from these documents
      </Link>
    </p>
  );
}
