import type { OntologyWithExamples } from "@kcs/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { correctionExamplesQuery, refreshProject } from "../../../api/corrections.ts";
import { ontologiesQuery, ontologyQuery, ontologyVersionsQuery } from "../../../api/ontologies.ts";
import { projectConfigQuery, projectStatsQuery } from "../../../api/projects.ts";
import { service } from "../../../api/service.ts";
import { Button } from "../../../components/button.tsx";
import { counted } from "../../../components/counted.ts";
import { Dialog, DialogActions } from "../../../components/dialog.tsx";
import { FaultNotice } from "../../../components/fault-notice.tsx";
import formStyles from "../../../components/form.module.css";
import { Notice } from "../../../components/notice.tsx";
import { RadioCards } from "../../../components/radio-cards.tsx";
import { Skeleton } from "../../../components/skeleton.tsx";
import { type PlannedExamples, planExamples } from "./planned-examples.ts";
import styles from "./teach-dialog.module.css";

interface Place {
  readonly projectId: string;
  readonly onClose: () => void;
}

/** Makes the next version of the project's ontology, with what was confirmed as examples. Says before what that will be. */
export function TeachDialog({ projectId, onClose }: Place) {
  const [made, setMade] = useState<OntologyWithExamples | null>(null);
  const { data: config, error } = useQuery({ ...projectConfigQuery(projectId), staleTime: 0 });
  const bound = config?.ontology;
  return (
    <Dialog title="Teach from verdicts" isOpen onClose={onClose}>
      <div className={formStyles.form}>
        <FaultNotice error={error} />
        {made !== null ? (
          <Outcome projectId={projectId} made={made} onClose={onClose} />
        ) : bound === undefined ? (
          error === null && <Skeleton lines={4} />
        ) : bound === null ? (
          <NoOntology projectId={projectId} onClose={onClose} />
        ) : (
          <Plan projectId={projectId} bound={bound} onMade={setMade} onClose={onClose} />
        )}
      </div>
    </Dialog>
  );
}

function NoOntology({ projectId, onClose }: Place) {
  return (
    <>
      <p>
        Examples are kept in an ontology, and this project has none. Choose one in the{" "}
        <Link to="/projects/$projectId/settings" params={{ projectId }}>
          settings
        </Link>{" "}
        first.
      </p>
      <DialogActions>
        <Button onPress={onClose}>Close</Button>
      </DialogActions>
    </>
  );
}

interface Bound {
  readonly id: string;
  readonly version: number;
}

function Plan({
  projectId,
  bound,
  onMade,
  onClose,
}: Place & { readonly bound: Bound; readonly onMade: (made: OntologyWithExamples) => void }) {
  const { id, version } = bound;
  const ontology = useQuery({ ...ontologyQuery(id), staleTime: 0 });
  const listed = useQuery({ ...ontologyVersionsQuery(id), staleTime: 0 });
  const examples = useQuery({ ...correctionExamplesQuery(projectId), staleTime: 0 });
  const { data: stats } = useQuery(projectStatsQuery(projectId));
  const [isMoving, setMoving] = useState(true);
  const client = useQueryClient();
  const teaching = useMutation({
    mutationFn: (bind: boolean) => service.corrections.addExamples(projectId, { bind }),
    onSuccess: onMade,
    // The version may have been made although the project could not be moved.
    async onSettled() {
      await client.invalidateQueries(ontologiesQuery);
      await refreshProject(client, projectId);
    },
  });
  const newest = listed.data?.versions[0]?.version;
  if (ontology.data === undefined || newest === undefined || examples.data === undefined) {
    const error = ontology.error ?? listed.error ?? examples.error;
    return error === null ? <Skeleton lines={4} /> : <FaultNotice error={error} />;
  }
  const { name, schema } = ontology.data;
  const plan = planExamples(schema, examples.data);
  const added = plan.reduce((sum, each) => sum + each.added, 0);
  const next = added === 0 ? newest : newest + 1;
  return (
    <>
      <PlannedTypes plan={plan} ontology={`“${name}”`} next={next} added={added} />
      {next !== version && (
        <RadioCards
          label="This project"
          options={[
            {
              value: "move",
              label: `Move it to version ${next}`,
              hint: `It is at version ${version}. ${readAgain(stats?.documents)} Questions are answered meanwhile.`,
            },
            ...(added === 0
              ? []
              : [{ value: "stay", label: `Leave it at version ${version}`, hint: STAYING }]),
          ]}
          value={isMoving || added === 0 ? "move" : "stay"}
          onChange={(value) => setMoving(value === "move")}
        />
      )}
      <FaultNotice error={teaching.error} />
      <DialogActions>
        <Button onPress={onClose}>{next === version ? "Close" : "Cancel"}</Button>
        {next !== version && (
          <Button
            variant="primary"
            isPending={teaching.isPending}
            onPress={() => teaching.mutate(isMoving || added === 0)}
          >
            {added === 0
              ? `Move to version ${next}`
              : `Make version ${next}${isMoving ? " and move to it" : ""}`}
          </Button>
        )}
      </DialogActions>
    </>
  );
}

const STAYING = "No document is read again. You can move it in the settings at any time.";

function readAgain(documents: number | undefined): string {
  if (documents === undefined) return "Its documents are read again by the examples.";
  if (documents === 1) return "Its only document is read again by the examples.";
  return `Its ${counted(documents, "document")} are read again by the examples.`;
}

/** What will be added, by type. */
function PlannedTypes({
  plan,
  ontology,
  next,
  added,
}: {
  readonly plan: readonly PlannedExamples[];
  readonly ontology: string;
  readonly next: number;
  readonly added: number;
}) {
  return (
    <>
      <p>
        {added === 0 ? (
          <>
            There is no new example for version {next} of <bdi>{ontology}</bdi>.
          </>
        ) : (
          <>
            What you confirmed becomes {counted(added, "example")} in version {next} of <bdi>{ontology}</bdi>.
            The service then reads documents by these examples, too. What you rejected is not put into the
            ontology.
          </>
        )}
      </p>
      {plan.length > 0 && (
        <ul className={styles.types} aria-label="Examples by type">
          {plan.map(({ type, added: count, leftOut, reason }) => (
            <li key={type}>
              <bdi className={styles.type}>{type}</bdi>
              <span>
                {count > 0 && counted(count, "new example")}
                {count > 0 && leftOut > 0 && ", "}
                {leftOut > 0 && `${leftOut.toLocaleString("en")} left out: ${reasons[reason ?? "full"]}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

const reasons = {
  "no type": "the ontology does not have this type",
  full: "the type has as many as it may have",
} as const satisfies Record<NonNullable<PlannedExamples["reason"]>, string>;

/** What was done. */
function Outcome({ projectId, made, onClose }: Place & { readonly made: OntologyWithExamples }) {
  const { ontology, node_types: nodes, edge_types: edges, moved } = made;
  const { id: ontologyId, name, version } = ontology;
  const added = [...nodes, ...edges].reduce((sum, each) => sum + each.added, 0);
  const documents = moved?.reread?.documents_total ?? 0;
  return (
    <>
      <Notice kind="good">
        {added === 0
          ? ""
          : `Version ${version} of “${name}” was made, with ${counted(added, "more example")}. `}
        {moved === null
          ? "The project stays at its version."
          : `The project is at version ${version} now${documents === 0 ? ", and no document has to be read again." : `, and ${counted(documents, "document")} will be read again.`}`}
      </Notice>
      <p>
        <Link
          to="/ontologies/$ontologyId/versions/$version"
          params={{ ontologyId, version: String(version) }}
        >
          Show version {version}
        </Link>
        {documents > 0 && (
          <>
            {" · "}
            <Link to="/projects/$projectId/settings" params={{ projectId }}>
              Show how far the reading is
            </Link>
          </>
        )}
      </p>
      <DialogActions>
        <Button autoFocus onPress={onClose}>
          Close
        </Button>
      </DialogActions>
    </>
  );
}
