import type { Suggestion } from "@kcs/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { kept } from "../api/kept.ts";
import { service } from "../api/service.ts";
import { Button } from "../components/button.tsx";
import { FaultNotice } from "../components/fault-notice.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { Skeleton } from "../components/skeleton.tsx";
import { TextField } from "../components/text-field.tsx";
import { SchemaEditor } from "./ontologies/schema-editor.tsx";
import styles from "./suggest-ontology.module.css";

const example =
  "We run a fleet of barges. Each barge has a length and a skipper, carries cargo between harbours, and belongs to a shipping firm.";

/** From a use case to a draft, which is looked over before it is saved. */
export function SuggestOntologyPage() {
  const { suggested, suggesting } = useSuggestion();
  const [useCase, setUseCase] = useState(suggested?.useCase ?? "");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    suggesting.mutate(useCase);
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
          placeholder={example}
        />
        <Button type="submit" variant="primary" isPending={suggesting.isPending}>
          {suggesting.isPending ? "Thinking …" : "Suggest"}
        </Button>
      </form>
      <FaultNotice error={suggesting.error} />
      {suggesting.isPending ? (
        <Skeleton lines={6} />
      ) : (
        suggested !== null && (
          <SchemaEditor
            key={suggested.at}
            place={`suggestion ${suggested.at}`}
            name={suggested.draft.name}
            schema={suggested.draft.schema}
            action="Save this ontology"
          />
        )
      )}
    </>
  );
}

interface Suggested {
  readonly useCase: string;
  readonly draft: Suggestion;
  /** When it came, in milliseconds since 1970. */
  readonly at: number;
}

/** The last one is kept until the page is loaded anew: it may have cost a language model's tokens. */
function useSuggestion() {
  const queryClient = useQueryClient();
  const key = [kept, "suggestion"];
  // Never read from anywhere: suggestions are put here as they come.
  const { data: suggested } = useQuery<Suggested | null>({
    queryKey: key,
    queryFn: () => null,
    enabled: false,
    initialData: null,
  });
  const suggesting = useMutation({
    mutationFn: (useCase: string) => service.ontologies.suggest(useCase),
    onSuccess: (draft, useCase) =>
      queryClient.setQueryData<Suggested>(key, { useCase, draft, at: Date.now() }),
  });
  return { suggested, suggesting };
}
