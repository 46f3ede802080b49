import { type ReadyOntologyName, readyOntologies } from "@kcs/contract/ready-ontologies";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../api/fault.ts";
import { toasts } from "../app/toasts/toast-store.ts";
import { ChoiceChips } from "../components/choice-chips.tsx";
import { PageHeader } from "../components/page-header.tsx";
import styles from "./new-ontology.module.css";
import { NewFromFile } from "./ontologies/new-from-file.tsx";
import { readyMade } from "./ontologies/ready-made.ts";
import { emptySchema, printSchema } from "./ontologies/schema-draft.ts";
import { DraftEditor, LeaveDraft } from "./ontologies/schema-editor.tsx";
import { type DraftBeginning, useSchemaDraft } from "./ontologies/use-schema-draft.ts";

type Beginning = "empty" | "file" | ReadyOntologyName;

const beginnings: readonly { readonly id: Beginning; readonly label: string }[] = [
  { id: "empty", label: "Empty" },
  { id: "file", label: "A file" },
  ...readyMade,
];

const empty: DraftBeginning = { id: "empty", name: "", text: printSchema(emptySchema) };

/** A draft that can begin anew with a ready-made ontology: what it was before is one step back. */
export function NewOntologyPage() {
  const [isOfFile, setOfFile] = useState(false);
  const drafting = useSchemaDraft("new", { name: empty.name, text: empty.text, beginning: empty });
  const { draft, isChanged, change } = drafting;
  const beginning = beginnings.find(({ id }) => id === draft.beginning?.id)?.id ?? "empty";
  const loading = useMutation({
    mutationFn: loadBeginning,
    onSuccess(next) {
      setOfFile(false);
      if (next.id === beginning) return;
      change({ name: next.name, text: next.text, beginning: next });
      if (isChanged) toasts.show({ text: "Your draft was replaced. Undo brings it back." });
    },
    onError: (error) => toasts.show({ kind: "bad", text: messageOf(error) }),
  });
  return (
    <>
      <PageHeader
        title="New ontology"
        description="Begin with a ready-made one or a file, or add the node types first, then the relationships between them."
      />
      <div className={styles.beginnings}>
        <ChoiceChips
          label="Begin with"
          choices={beginnings}
          chosen={isOfFile ? "file" : beginning}
          onChange={(next) => (next === "file" ? setOfFile(true) : loading.mutate(next))}
        />
      </div>
      {isOfFile ? <NewFromFile /> : <DraftEditor drafting={drafting} action="Save" />}
      <LeaveDraft drafting={drafting} />
    </>
  );
}

async function loadBeginning(id: "empty" | ReadyOntologyName): Promise<DraftBeginning> {
  if (id === "empty") return empty;
  const { name, schema } = (await readyOntologies[id]()).default;
  return { id, name, text: printSchema(schema) };
}
