import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { ontologiesQuery } from "../../api/ontologies.ts";
import { projectsQuery } from "../../api/projects.ts";
import { service } from "../../api/service.ts";
import { Button } from "../../components/button.tsx";
import { Dialog, DialogActions } from "../../components/dialog.tsx";
import { FaultNotice } from "../../components/fault-notice.tsx";
import { RadioCards } from "../../components/radio-cards.tsx";
import { Select } from "../../components/select.tsx";
import { TextField } from "../../components/text-field.tsx";
import { makeReadyMade } from "../ontologies/make-ready-made.ts";
import { ontologyChoices, readyMadeOf } from "./ontology-choices.ts";

const modes = [
  {
    value: "graph",
    label: "Graph and search",
    hint: "Also extracts entities and relationships. Finds answers that no single passage contains.",
  },
  { value: "search", label: "Search", hint: "Finds passages by meaning and by keyword. Ingests faster." },
] as const;

export function CreateProjectDialog({
  ontologyId: given = "",
  onClose,
}: {
  /** Chosen at first. */
  readonly ontologyId?: string;
  readonly onClose: () => void;
}) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { data: listed } = useQuery(ontologiesQuery);
  const [name, setName] = useState("");
  const [mode, setMode] = useState<string>("graph");
  const [ontologyId, setOntologyId] = useState(given);
  /** A ready-made one is made first, once: if then the project is refused, it is chosen. */
  const requireOntology = async () => {
    const ready = readyMadeOf(ontologyId);
    if (ready === null) return ontologyId;
    const id = await makeReadyMade(queryClient, ready);
    setOntologyId(id);
    return id;
  };
  const creating = useMutation({
    async mutationFn() {
      const bound = mode === "graph" ? await requireOntology() : "";
      return service.projects.create({
        name,
        vector_only: mode === "search",
        ...(bound !== "" && { ontology_id: bound }),
      });
    },
    async onSuccess({ project_id: projectId }) {
      await queryClient.invalidateQueries(projectsQuery);
      await navigate({ to: "/projects/$projectId", params: { projectId } });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    creating.mutate();
  };
  return (
    <Dialog title="New project" isOpen onClose={onClose}>
      <form onSubmit={submit}>
        <TextField label="Name" value={name} onChange={setName} maxLength={200} isRequired autoFocus />
        <RadioCards label="Kind" options={modes} value={mode} onChange={setMode} />
        {mode === "graph" && (
          <Select
            label="Ontology"
            options={ontologyChoices(listed?.ontologies ?? [])}
            value={ontologyId}
            onChange={setOntologyId}
            hint="Which types of entities and relationships the graph may have. Own ones are made under Ontologies, and a project can get one later."
          />
        )}
        <FaultNotice error={creating.error} />
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isPending={creating.isPending}>
            Create
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
