import type { ChangeProject, OntologyChanges, OntologySchema, ProjectConfiguration } from "@kcs/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ontologiesQuery, ontologyVersionQuery, ontologyVersionsQuery } from "../../../api/ontologies.ts";
import { projectQuery } from "../../../api/projects.ts";
import { service } from "../../../api/service.ts";
import { toasts } from "../../../app/toasts/toast-store.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog, DialogActions } from "../../../components/dialog.tsx";
import { FaultNotice } from "../../../components/fault-notice.tsx";
import formStyles from "../../../components/form.module.css";
import { Select } from "../../../components/select.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { makeReadyMade } from "../../ontologies/make-ready-made.ts";
import { boundChoices, readyMadeOf } from "../../projects/ontology-choices.ts";
import styles from "./change-ontology.module.css";
import { LostCorrections } from "./lost-corrections.tsx";
import { lostWords, readingWords } from "./move-words.ts";
import { renamedIn } from "./renamed-in.ts";

type Bound = ProjectConfiguration["ontology"];

/** Says what a move to an ontology means for a project before it is made. */
export function ChangeDialog({
  projectId,
  bound,
  ontologies,
  first,
  onChanged,
  onClose,
}: {
  readonly projectId: string;
  readonly bound: Bound;
  readonly ontologies: readonly { readonly id: string; readonly name: string }[];
  /** The ontology that is chosen at first. Default: that of the project. */
  readonly first?: string;
  readonly onChanged?: () => void;
  readonly onClose: () => void;
}) {
  const options = boundChoices(ontologies);
  const [id, setId] = useState(first ?? bound?.id ?? options[0]?.value ?? "");
  const [version, setVersion] = useState("");
  const ready = readyMadeOf(id);
  const { data: listed } = useQuery({ ...ontologyVersionsQuery(id), enabled: ready === null });
  const versions = (listed?.versions ?? []).map(({ version: each }) => String(each));
  const chosen = version === "" ? (versions[0] ?? "") : version;
  const isSame = bound !== null && bound.id === id && String(bound.version) === chosen;
  const change: ChangeProject = { ontology_id: id, ontology_version: Number(chosen) };
  const preview = useQuery({
    queryKey: ["projects", projectId, "ontology-preview", id, chosen],
    queryFn: () => service.projects.change(projectId, change, { dryRun: true }),
    enabled: chosen !== "" && !isSame,
  });
  const { data: next } = useQuery({
    ...ontologyVersionQuery(id, Number(chosen)),
    enabled: chosen !== "" && !isSame,
  });
  const queryClient = useQueryClient();
  const changing = useChange(projectId, () => {
    onClose();
    onChanged?.();
  });
  const making = useMutation({
    mutationFn: async () => (ready === null ? id : makeReadyMade(queryClient, ready)),
    onSuccess: setId,
  });
  return (
    <Dialog title="Change the ontology" isOpen onClose={onClose}>
      <div className={formStyles.form}>
        <Select
          label="Ontology"
          options={options}
          value={id}
          hint="A project with an ontology cannot go back to none: a graph without one needs another project."
          onChange={(next) => {
            setId(next);
            setVersion("");
          }}
        />
        {chosen !== "" && (
          <Select
            label="Version"
            options={versions.map((value) => ({ value, label: value }))}
            value={chosen}
            onChange={setVersion}
          />
        )}
        {ready !== null ? (
          <p>
            A ready-made ontology becomes one of your own first, which you can change. What it would mean for
            this project is then shown here, before anything is read again.
          </p>
        ) : isSame ? (
          <p>The project has this version.</p>
        ) : preview.data === undefined ? (
          preview.error === null && <Skeleton lines={2} />
        ) : (
          <Outcome
            projectId={projectId}
            changes={preview.data.ontology_changes}
            schema={next?.schema ?? null}
            hadNone={bound === null}
          />
        )}
        <FaultNotice error={changing.error ?? preview.error ?? making.error} />
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          {ready === null ? (
            <Button
              variant="primary"
              isDisabled={isSame || preview.data === undefined}
              isPending={changing.isPending}
              onPress={() => changing.mutate(change)}
            >
              Change and read again
            </Button>
          ) : (
            <Button variant="primary" isPending={making.isPending} onPress={() => making.mutate()}>
              Make it an ontology of mine
            </Button>
          )}
        </DialogActions>
      </div>
    </Dialog>
  );
}

function useChange(projectId: string, onDone: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (change: ChangeProject) => service.projects.change(projectId, change),
    async onSuccess() {
      toasts.show({ text: "The ontology was changed. The documents are read again." });
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: projectQuery(projectId).queryKey }),
        // They say where they are used.
        queryClient.invalidateQueries({ queryKey: ontologiesQuery.queryKey }),
      ]);
      onDone();
    },
  });
}

/** What would become of the graph. */
function Outcome({
  projectId,
  changes,
  schema,
  hadNone,
}: {
  readonly projectId: string;
  readonly changes: OntologyChanges | null;
  readonly hadNone: boolean;
  /** null while it is read. */
  readonly schema: OntologySchema | null;
}) {
  if (changes === null) return null;
  const lost = lostWords(changes);
  const reading = readingWords(changes, hadNone);
  return (
    <>
      <RenamedTypes changes={changes} />
      {lost.length === 0 ? (
        <p>
          Nothing has to leave the graph: the ontology has a place for all entities, relationships and
          proposals.
        </p>
      ) : (
        <div>
          <p>
            The ontology has no type for these. They leave the graph when the documents are read again, unless
            the reading finds one of its types for them:
          </p>
          <ul aria-label="What leaves the graph" className={styles.lost}>
            {lost.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
      )}
      {reading !== null && <p>{reading}</p>}
      <LostCorrections projectId={projectId} corrections={changes.corrections} schema={schema} />
      <p>Questions are answered all the time, from each document as it was read last.</p>
    </>
  );
}

/** Those that the graph has something of. */
function RenamedTypes({ changes }: { readonly changes: OntologyChanges }) {
  const renamed = renamedIn(changes);
  if (renamed.length === 0) return null;
  return (
    <ul>
      {renamed.map((each) => (
        <li key={each}>{each}</li>
      ))}
    </ul>
  );
}
