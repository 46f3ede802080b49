import type { Suggestion } from "@kcs/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useEffect, useEffectEvent, useState } from "react";
import { projectsQuery } from "../api/projects.ts";
import { retainedKey } from "../api/retained-key.ts";
import { service } from "../api/service.ts";
import { Button } from "../components/button.tsx";
import { ButtonLink } from "../components/button-link.tsx";
import { FaultNotice } from "../components/fault-notice.tsx";
import { Notice } from "../components/notice.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { Select } from "../components/select.tsx";
import { Skeleton } from "../components/skeleton.tsx";
import { TextField } from "../components/text-field.tsx";
import { readWordsQuery } from "./ontologies/read-words-query.ts";
import { SchemaEditor } from "./ontologies/schema-editor.tsx";
import styles from "./suggest-ontology.module.css";

const example =
  "We run a fleet of barges. Each barge has a length and a skipper, carries cargo between harbours, and belongs to a shipping firm.";

/** Suggests an ontology for a use case. The draft can be edited before it is saved. */
export function SuggestOntologyPage() {
  const search = useSearch({ from: "/signed-in/ontologies/suggest" });
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
        description="Describe which entities, relationships and properties matter, or begin with what was read from the documents of a project. You can review the draft before you save it."
      >
        <ButtonLink to="/ontologies/new" search={search}>
          Without a suggestion
        </ButtonLink>
        <ButtonLink to="/ontologies">All ontologies</ButtonLink>
      </PageHeader>
      <form onSubmit={submit} className={styles.form}>
        <FromDocuments onRead={setUseCase} />
        <TextField label="Use case" rows={6} value={useCase} onChange={setUseCase} isRequired />
        <div className={styles.actions}>
          <Button type="submit" variant="primary" isPending={suggesting.isPending}>
            {suggesting.isPending ? "Working …" : "Suggest"}
          </Button>
          <Button variant="quiet" onPress={() => setUseCase(example)}>
            Use an example
          </Button>
        </div>
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
            useCase={suggested.useCase}
          />
        )
      )}
    </>
  );
}

/** Fills in what was read from the documents of a project, which the address can name. */
function FromDocuments({ onRead }: { readonly onRead: (words: string) => void }) {
  const { project = "" } = useSearch({ from: "/signed-in/ontologies/suggest" });
  const navigate = useNavigate();
  const { data: listed } = useQuery(projectsQuery);
  const { data: words, error } = useQuery({ ...readWordsQuery(project), enabled: project !== "" });
  const read = useEffectEvent(onRead);
  useEffect(() => {
    if (words !== undefined && words !== "") read(words);
  }, [words]);
  const withGraph = (listed?.projects ?? []).filter(({ mode }) => mode === "kg_vector");
  if (withGraph.length === 0) return null;
  return (
    <>
      <Select
        label="From the documents of a project"
        options={[
          { value: "", label: "None: a description of yours" },
          ...withGraph.map(({ project_id: value, name: label }) => ({ value, label })),
        ]}
        value={project}
        onChange={(next) =>
          void navigate({ to: "/ontologies/suggest", search: next === "" ? {} : { project: next } })
        }
        hint="The types and relationships that were read from them are written below, to be changed as you like."
      />
      {words === "" && <Notice>Nothing was read from the documents of this project yet.</Notice>}
      <FaultNotice error={error} />
    </>
  );
}

interface Suggested {
  readonly useCase: string;
  readonly draft: Suggestion;
  /** When it was received, in milliseconds since 1970. */
  readonly at: number;
}

/** Keeps the last suggestion until the page is reloaded, because it may have used tokens of a language model. */
function useSuggestion() {
  const queryClient = useQueryClient();
  const key = [retainedKey, "suggestion"];
  // Never fetched: `onSuccess` below writes suggestions into the query cache.
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
