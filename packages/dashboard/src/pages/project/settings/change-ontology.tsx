import type { ChangeProject, OntologyChanges, OntologySchema, ProjectConfiguration } from "@kcs/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { allCorrectionsQuery } from "../../../api/corrections.ts";
import { ontologiesQuery, ontologyVersionQuery, ontologyVersionsQuery } from "../../../api/ontologies.ts";
import { projectQuery } from "../../../api/projects.ts";
import { service } from "../../../api/service.ts";
import { toasts } from "../../../app/toasts/toast-store.ts";
import { Button } from "../../../components/button.tsx";
import { counted } from "../../../components/counted.ts";
import { Dialog, DialogActions } from "../../../components/dialog.tsx";
import { FaultNotice } from "../../../components/fault-notice.tsx";
import formStyles from "../../../components/form.module.css";
import { Notice } from "../../../components/notice.tsx";
import { Section } from "../../../components/section.tsx";
import { Select } from "../../../components/select.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { fitTo } from "../corrections/ontology-fit.ts";
import { correctionWords } from "../entity/correction-words.ts";
import styles from "./change-ontology.module.css";

type Bound = ProjectConfiguration["ontology"];

/** Binds the project to another ontology, or to another version of its own. */
export function ChangeOntology({ projectId, bound }: { readonly projectId: string; readonly bound: Bound }) {
  const { data: listed } = useQuery(ontologiesQuery);
  const [isOpen, setOpen] = useState(false);
  if (listed === undefined || listed.ontologies.length === 0) return null;
  return (
    <Section
      title="Ontology"
      description="Another ontology, or another version, can be chosen at any time. All documents are then read again."
      action={<Button onPress={() => setOpen(true)}>Change the ontology</Button>}
    >
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
  const [id, setId] = useState(bound?.id ?? ontologies[0]?.id ?? "");
  const [version, setVersion] = useState("");
  const { data: listed } = useQuery(ontologyVersionsQuery(id));
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
  return (
    <Dialog title="Change the ontology" isOpen onClose={onClose}>
      <div className={formStyles.form}>
        <Select
          label="Ontology"
          options={ontologies.map(({ id: value, name }) => ({ value, label: name }))}
          value={id}
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
        {isSame ? (
          <p>The project has this version.</p>
        ) : preview.data === undefined ? (
          preview.error === null && <Skeleton lines={2} />
        ) : (
          <Outcome
            projectId={projectId}
            changes={preview.data.ontology_changes}
            schema={next?.schema ?? null}
          />
        )}
        <FaultNotice error={changing.error ?? preview.error} />
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            variant="primary"
            isDisabled={isSame || preview.data === undefined}
            isPending={changing.isPending}
            onPress={() => changing.mutate()}
          >
            Change and read again
          </Button>
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
}: {
  readonly projectId: string;
  readonly changes: OntologyChanges | null;
  /** null while it is read. */
  readonly schema: OntologySchema | null;
}) {
  if (changes === null) return null;
  const dropped = changes.node_types.filter(({ change }) => change === "dropped");
  const entities = dropped.reduce((sum, each) => sum + each.entities, 0);
  const left = changes.edge_types.reduce((sum, each) => sum + each.relationships - each.fitting, 0);
  return (
    <>
      <p>
        {counted(entities, "entity has", "entities have")} a type that it does not have
        {dropped.length === 0 ? "" : ` (${dropped.map(({ name }) => name).join(", ")})`}, and{" "}
        {counted(left, "relationship does", "relationships do")} not fit it.
        {entities + left > 0 &&
          " When the documents are read again, they are left out, unless the reading finds a type of the new ontology for them."}
      </p>
      <LostCorrections projectId={projectId} corrections={changes.corrections} schema={schema} />
      <p>Questions are answered all the time, from each document as it was read last.</p>
    </>
  );
}

/** More are only counted. */
const maxNamed = 8;

/** What people corrected is kept, but an ontology without the types that it names gives it no effect. */
function LostCorrections({
  projectId,
  corrections,
  schema,
}: Pick<OntologyChanges, "corrections"> & Omit<Parameters<typeof Outcome>[0], "changes">) {
  const lost = corrections.filter(({ without_effect: count }) => count > 0);
  const named = useLostNamed(projectId, lost, schema);
  const all = corrections.reduce((sum, each) => sum + each.corrections, 0);
  if (all === 0) return null;
  if (lost.length === 0) return <p>All {counted(all, "correction")} keep their effect.</p>;
  return (
    <Notice kind="warn">
      <p>
        {lost.reduce((sum, each) => sum + each.without_effect, 0).toLocaleString("en")} of{" "}
        {counted(all, "correction")} will have no effect:{" "}
        {lost.map(({ kind, without_effect: count }) => counted(count, ...kindWords[kind])).join(", ")}. They
        are kept, and take effect again under an ontology that has their types.
      </p>
      {named.length > 0 && (
        <ul aria-label="Corrections without effect" className={styles.lost}>
          {named.map(({ id, words }) => (
            <li key={id}>
              <bdi>{words}</bdi>
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}

/** Those that will have no effect, in words; none where they are many, or others than the service counts. */
function useLostNamed(
  projectId: string,
  lost: OntologyChanges["corrections"],
  schema: OntologySchema | null,
): readonly { readonly id: string; readonly words: string }[] {
  const count = lost.reduce((sum, each) => sum + each.without_effect, 0);
  const isNamed = schema !== null && count <= maxNamed;
  const { data = [] } = useQuery({ ...allCorrectionsQuery(projectId), enabled: isNamed && count > 0 });
  if (!isNamed) return [];
  const fits = fitTo(schema);
  const kinds = new Set(lost.map(({ kind }) => kind));
  const named = data.filter((each) => kinds.has(each.kind) && !fits(each));
  return named.length === count
    ? named.map((each) => ({ id: each.correction_id, words: correctionWords(each) }))
    : [];
}

const kindWords: Record<OntologyChanges["corrections"][number]["kind"], readonly [string, string]> = {
  rename: ["renaming", "renamings"],
  retype: ["change of type", "changes of type"],
  merge: ["merge", "merges"],
  split: ["split", "splits"],
  add_property: ["added property", "added properties"],
  remove_property: ["removed property", "removed properties"],
  add_relationship: ["added relationship", "added relationships"],
  reject: ["rejection", "rejections"],
  confirm: ["confirmation", "confirmations"],
};
