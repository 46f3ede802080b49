import type { CorrectionList, ListedCorrection, OntologySchema } from "@kcs/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Undo2 } from "lucide-react";
import { useMemo, useState } from "react";
import {
  type CorrectionState,
  correctionCountsQuery,
  correctionsPage,
  correctionsQuery,
  refreshProject,
  undoCorrection,
} from "../../api/corrections.ts";
import { messageOf } from "../../api/fault.ts";
import { ontologyVersionQuery } from "../../api/ontologies.ts";
import { projectConfigQuery } from "../../api/projects.ts";
import { toasts } from "../../app/toasts/toast-store.ts";
import { Badge } from "../../components/badge.tsx";
import { Button } from "../../components/button.tsx";
import { ButtonLink } from "../../components/button-link.tsx";
import { ChoiceChips } from "../../components/choice-chips.tsx";
import { counted } from "../../components/counted.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { PageFault } from "../../components/page-fault.tsx";
import { Pager } from "../../components/pager.tsx";
import { Section } from "../../components/section.tsx";
import { PageSkeleton } from "../../components/skeleton.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { EntityLink } from "./ask/entity-link.tsx";
import { AddAgain } from "./corrections/add-again.tsx";
import { correctedNames } from "./corrections/corrected-names.ts";
import styles from "./corrections/later-dialog.module.css";
import { LaterDialog } from "./corrections/later-dialog.tsx";
import { MakeAgain } from "./corrections/make-again.tsx";
import { allowedEnds, type FitOf, fitTo } from "./corrections/ontology-fit.ts";
import { isOfEntity } from "./corrections/present-entity.ts";
import { TeachDialog } from "./corrections/teach-dialog.tsx";
import { correctionWords, undoneWords } from "./entity/correction-words.ts";
import { wordsOf } from "./graph/link-text.ts";

const route = "/signed-in/projects/$projectId/corrections";

/** What people have corrected in a project's graph, the newest first. */
export function CorrectionsPage() {
  const { projectId } = useParams({ from: route });
  const { from = 0, state = null } = useSearch({ from: route });
  const navigate = useNavigate({ from: "/projects/$projectId/corrections" });
  const { data, error } = useQuery(correctionsQuery(projectId, { from, state }));
  const [isTeaching, setTeaching] = useState(false);
  const [shown, setShown] = useState<ListedCorrection | null>(null);
  const undoing = useUndo(projectId);
  const ontology = useOntology(projectId);
  if (error !== null) return <PageFault error={error} />;
  if (data === undefined) return <PageSkeleton />;
  if (data.total === 0 && state === null) return <NoCorrections projectId={projectId} />;
  return (
    <Section
      title="Corrections"
      description="They change no document, and hold for documents that are ingested later. Effect says how many passages of the documents are read differently because of each. What you confirmed can become examples of the ontology."
      action={<Button onPress={() => setTeaching(true)}>Teach from verdicts</Button>}
    >
      <EffectFilter
        projectId={projectId}
        state={state}
        onChange={(next) => void navigate({ search: next === null ? {} : { state: next } })}
      />
      {data.total === 0 && <p>Every correction has an effect.</p>}
      <Table
        label="Corrections"
        columns={columnsOf({
          ...{ projectId, ontology, onShow: setShown },
          onUndo: (correction) => undoing.mutate(correction),
          isUndoing: undoing.isPending,
        })}
        rows={data.corrections}
        keyOf={({ correction_id: id }) => id}
      />
      <Taught types={data.taught} />
      <Pager
        from={from}
        shown={data.corrections.length}
        pageSize={correctionsPage}
        total={data.total}
        onChange={(next) => void navigate({ search: { from: next, ...(state !== null && { state }) } })}
      />
      {isTeaching && <TeachDialog projectId={projectId} onClose={() => setTeaching(false)} />}
      {shown !== null && (
        <LaterDialog projectId={projectId} correction={shown} onClose={() => setShown(null)} />
      )}
    </Section>
  );
}

/** At once, as the undo of a notice is. */
function useUndo(projectId: string) {
  const client = useQueryClient();
  return useMutation({
    async mutationFn(correction: ListedCorrection) {
      await undoCorrection(projectId, correction.correction_id);
      await refreshProject(client, projectId);
      toasts.show({ text: undoneWords(correction) });
    },
    onError: (error) => toasts.show({ kind: "bad", text: messageOf(error) }),
  });
}

function NoCorrections({ projectId }: { readonly projectId: string }) {
  return (
    <EmptyState
      title="No correction yet"
      action={
        <ButtonLink to="/projects/$projectId/graph" params={{ projectId }}>
          Open the graph
        </ButtonLink>
      }
    >
      What you rename, merge, confirm or reject on the page of an entity is listed here, and can be undone.
    </EmptyState>
  );
}

/** Those without effect apart, where there are any. */
function EffectFilter({
  projectId,
  state,
  onChange,
}: {
  readonly projectId: string;
  readonly state: CorrectionState | null;
  readonly onChange: (state: CorrectionState | null) => void;
}) {
  const { data: counts } = useQuery(correctionCountsQuery(projectId));
  if (state === null && (counts === undefined || counts.without === 0)) return null;
  return (
    <ChoiceChips
      label="Effect"
      choices={[
        { id: "all", label: "All", ...(counts !== undefined && { count: counts.all }) },
        { id: "without", label: "Without effect", ...(counts !== undefined && { count: counts.without }) },
      ]}
      chosen={state === null ? "all" : "without"}
      onChange={(next) => onChange(next === "all" ? null : "without_evidence")}
    />
  );
}

/** What verdicts have changed beside what they are on. */
function Taught({ types }: { readonly types: CorrectionList["taught"] }) {
  const moved = (key: "asserted" | "proposed") =>
    types
      .filter((each) => each[key] > 0)
      .map((each) => `${each[key].toLocaleString("en")} “${wordsOf(each.type)}”`)
      .join(", ");
  const [asserted, proposed] = [moved("asserted"), moved("proposed")];
  if (asserted + proposed === "") return null;
  return (
    <p>
      The verdicts also count for what other sentences state with the same types.
      {asserted !== "" && ` In the graph because of them: ${asserted}.`}
      {proposed !== "" && ` Only proposed because of them: ${proposed}.`}
    </p>
  );
}

type Act = (correction: ListedCorrection) => void;

interface Bound {
  readonly fits: FitOf;
  readonly schema: OntologySchema;
}

/** The ontology to which the project is bound; null: it has none, or it is not read yet. */
function useOntology(projectId: string): Bound | null {
  const { data: config } = useQuery(projectConfigQuery(projectId));
  const { id = "", version = 0 } = config?.ontology ?? {};
  const { data } = useQuery({ ...ontologyVersionQuery(id, version), enabled: id !== "" });
  return useMemo(
    () => (data === undefined || id === "" ? null : { fits: fitTo(data.schema), schema: data.schema }),
    [data, id],
  );
}

function columnsOf({
  onUndo,
  isUndoing,
  ...shown
}: {
  readonly projectId: string;
  readonly ontology: Bound | null;
  readonly onUndo: Act;
  readonly isUndoing: boolean;
  readonly onShow: Act;
}): readonly Column<ListedCorrection>[] {
  return [
    {
      title: "Correction",
      cell: (each) => (
        <div className={styles.named}>
          <bdi>{correctionWords(each)}</bdi>
          <span className={styles.names}>
            {correctedNames(each).map((name) => (
              <EntityLink key={name} projectId={shown.projectId} name={name} className={styles.name} />
            ))}
          </span>
        </div>
      ),
    },
    { title: "Effect", cell: (each) => <Effect correction={each} {...shown} /> },
    { title: "Reason", cell: ({ reason }) => <bdi>{reason ?? "–"}</bdi> },
    { title: "Made", cell: ({ created_at: at }) => <Time at={at} /> },
    {
      title: "Actions",
      isAction: true,
      cell: (each) => (
        <Button
          size="small"
          isDisabled={isUndoing}
          aria-label={`Undo: ${correctionWords(each)}`}
          onPress={() => onUndo(each)}
        >
          <Undo2 aria-hidden size={14} /> Undo
        </Button>
      ),
    },
  ];
}

function Effect({
  projectId,
  correction,
  ontology,
  onShow,
}: {
  readonly projectId: string;
  readonly correction: ListedCorrection;
  readonly ontology: Bound | null;
  readonly onShow: Act;
}) {
  const { chunks, later_chunks: later, conflicts } = correction;
  return (
    <div className={styles.effect}>
      {ontology?.fits(correction) === false ? (
        // Chunks that state it remain, but the ontology lets nothing of it into the graph.
        <Unfit projectId={projectId} correction={correction} schema={ontology.schema} />
      ) : chunks === 0 ? (
        <>
          <Badge kind="warn">Without effect</Badge>
          {isOfEntity(correction) && <MakeAgain projectId={projectId} correction={correction} />}
        </>
      ) : (
        <span>
          Changes what is read from {counted(chunks, "passage")}
          {later > 0 && `, ${later.toLocaleString("en")} of them ingested later`}
        </span>
      )}
      {conflicts > 0 && <Badge kind="warn">{counted(conflicts, "text")} against it</Badge>}
      {later + conflicts > 0 && (
        <Button
          size="small"
          variant="quiet"
          aria-label={`Show later texts: ${correctionWords(correction)}`}
          onPress={() => onShow(correction)}
        >
          Show
        </Button>
      )}
    </div>
  );
}

/** The ontology lacks a type, or has that of the relationship, but between others. */
function Unfit({
  projectId,
  correction,
  schema,
}: {
  readonly projectId: string;
  readonly correction: ListedCorrection;
  readonly schema: OntologySchema;
}) {
  const allowed = "target" in correction ? allowedEnds(schema, correction.type) : null;
  if (allowed === null)
    return (
      <>
        <Badge kind="warn">Not in the ontology</Badge>
        {isOfEntity(correction) && <MakeAgain projectId={projectId} correction={correction} />}
      </>
    );
  return (
    <>
      <Badge kind="warn">Other types</Badge>
      <span>The ontology does not allow it between these types.</span>
      {correction.kind === "add_relationship" && (
        <AddAgain projectId={projectId} addition={correction} allowed={allowed} />
      )}
    </>
  );
}
