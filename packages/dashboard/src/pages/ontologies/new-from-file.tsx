import type { ImportedOntology } from "@kcs/sdk";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { importOntology, type OntologyFile, ontologiesQuery } from "../../api/ontologies.ts";
import { toasts } from "../../app/toasts/toast-store.ts";
import { ButtonLink } from "../../components/button-link.tsx";
import { Section } from "../../components/section.tsx";
import { TextField } from "../../components/text-field.tsx";
import { FileImport } from "./file-import.tsx";
import { LeftOutList } from "./left-out-list.tsx";
import styles from "./new-from-file.module.css";

/** Makes an ontology from a file, and says what of it was left out. */
export function NewFromFile() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const search = useSearch({ from: "/signed-in/ontologies/new" });
  const [name, setName] = useState("");
  const [made, setMade] = useState<ImportedOntology | null>(null);
  const take = async (file: OntologyFile) => {
    const given = name.trim() === "" ? {} : { name: name.trim() };
    const imported = await importOntology({ ...file, ...given });
    await queryClient.invalidateQueries({ queryKey: ontologiesQuery.queryKey });
    if (imported.left_out.length > 0) return setMade(imported);
    toasts.show({ text: "The ontology was made. Everything in the file had a place." });
    await navigate({ to: "/ontologies/$ontologyId", params: { ontologyId: imported.ontology.id }, search });
  };
  if (made !== null)
    return (
      <Section
        title={`“${made.ontology.name}” was made`}
        action={
          <ButtonLink
            variant="primary"
            to="/ontologies/$ontologyId"
            params={{ ontologyId: made.ontology.id }}
            search={search}
          >
            Open the ontology
          </ButtonLink>
        }
      >
        <LeftOutList items={made.left_out} />
      </Section>
    );
  return (
    <div className={styles.form}>
      <TextField
        label="Name (optional)"
        value={name}
        onChange={setName}
        maxLength={200}
        hint="Without one it gets the name that is in the file."
      />
      <FileImport action="Make the ontology" onFile={take} />
    </div>
  );
}
