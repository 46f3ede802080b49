import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { service } from "../api/service.ts";
import { Button } from "../components/button.tsx";
import { Notice } from "../components/notice.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { TextField } from "../components/text-field.tsx";
import { SchemaEditor } from "./ontologies/schema-editor.tsx";
import styles from "./suggest-ontology.module.css";

/** From a use case to a draft, which is looked over before it is saved. */
export function SuggestOntologyPage() {
  const [useCase, setUseCase] = useState("");
  const suggesting = useMutation({ mutationFn: () => service.ontologies.suggest(useCase) });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    suggesting.mutate();
  };
  return (
    <>
      <PageHeader
        title="Suggest an ontology"
        description="Say which things, relationships and details matter. You look the draft over before it is saved."
      />
      <form onSubmit={submit} className={styles.form}>
        <TextField
          label="Use case"
          rows={6}
          value={useCase}
          onChange={setUseCase}
          isRequired
          placeholder="We run a fleet of barges. Each barge has a length and a skipper, carries cargo between harbours, and belongs to a shipping firm."
        />
        <Button type="submit" variant="primary" isPending={suggesting.isPending}>
          {suggesting.isPending ? "Thinking …" : "Suggest"}
        </Button>
      </form>
      {suggesting.isError && <Notice kind="bad">{suggesting.error.message}</Notice>}
      {suggesting.data !== undefined && (
        <SchemaEditor
          key={suggesting.submittedAt}
          name={suggesting.data.name}
          schema={suggesting.data.schema}
          action="Save this ontology"
        />
      )}
    </>
  );
}
