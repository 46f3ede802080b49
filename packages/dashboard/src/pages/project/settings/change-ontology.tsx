import type { ChangeProject, OntologyChanges, OntologySchema, ProjectConfiguration } from "@kcs/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { ontologiesQuery, ontologyVersionQuery, ontologyVersionsQuery } from "../../../api/ontologies.ts";
import { projectQuery } from "../../../api/projects.ts";
import { service } from "../../../api/service.ts";
import { toasts } from "../../../app/toasts/toast-store.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog, DialogActions } from "../../../components/dialog.tsx";
import { FaultNotice } from "../../../components/fault-notice.tsx";
import formStyles from "../../../components/form.module.css";
import { Section } from "../../../components/section.tsx";
import { Select } from "../../../components/select.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { makeReadyMade } from "../../ontologies/make-ready-made.ts";
import { boundChoices, readyMadeOf } from "../../projects/ontology-choices.ts";
import styles from "./change-ontology.module.css";
import { LostCorrections } from "./lost-corrections.tsx";
import { lostWords, readingWords } from "./move-words.ts";
import { renamedIn } from "./renamed-in.ts";

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

function ChangeDialog({
  projectId,
  bound,
  ontologies,
  onClose,
}: {
  readonly projectId: string;
  readonly bound: Bound;
  readonly ontologies: readonly { readonly id: string; readonly name: string }[];
  readonly onClose: () => void;
}) {
  const options = boundChoices(ontologies);
  const [id, setId] = useState(bound?.id ?? options[0]?.value ?? "");
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
  const changing = useMutation({
    mutationFn: () => service.projects.change(projectId, change),
    async onSuccess() {
      toasts.show({ text: "The ontology was changed. The documents are read again." });
      await queryClient.invalidateQueries({ queryKey: projectQuery(projectId).queryKey });
      onClose();
    },
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
              onPress={() => changing.mutate()}
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
