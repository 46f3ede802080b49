import type { EntityDetail } from "@kcs/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ArrowDownUp, Plus } from "lucide-react";
import { type FormEvent, useState } from "react";
import { reasonOf, refreshProject, useCorrect } from "../../../api/corrections.ts";
import { entityQuery } from "../../../api/graph.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog, DialogActions } from "../../../components/dialog.tsx";
import { FaultNotice } from "../../../components/fault-notice.tsx";
import formStyles from "../../../components/form.module.css";
import { TextChoice } from "../../../components/text-choice.tsx";
import { TextField } from "../../../components/text-field.tsx";
import { EntityFinder } from "../graph/entity-finder.tsx";
import { typeMeant, wordsOf } from "../graph/link-text.ts";
import { undoneWords } from "./correction-words.ts";
import { noTimes, timesFault, timesOf } from "./given-times.ts";
import { TimeFields } from "./time-fields.tsx";
import { keepUsedType, useHasOntology, useRelationshipTypes } from "./use-types.ts";

type End = Pick<EntityDetail, "name" | "type">;

/** A button with which a person states a relationship that was not read from the texts. */
export function AddRelationship({
  projectId,
  entity,
  other,
}: {
  readonly projectId: string;
  readonly entity: End;
  /** Its other end, where that is known already. */
  readonly other?: End;
}) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="small" onPress={() => setOpen(true)}>
        <Plus aria-hidden size={14} /> Add a relationship
      </Button>
      {isOpen && (
        <AddDialog
          projectId={projectId}
          entity={entity}
          {...(other !== undefined && { other })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

function AddDialog({
  projectId,
  entity,
  other,
  onClose,
}: Parameters<typeof AddRelationship>[0] & { readonly onClose: () => void }) {
  const [chosen, setChosen] = useState<string | null>(null);
  const { data: found } = useQuery({ ...entityQuery(projectId, chosen ?? ""), enabled: chosen !== null });
  const [written, setWritten] = useState("");
  const [isTurned, setTurned] = useState(false);
  const [reason, setReason] = useState("");
  const correct = useCorrect(projectId);
  const client = useQueryClient();
  const end = other ?? found;
  const [source, target] = isTurned ? [end, entity] : [entity, end];
  const types = useRelationshipTypes(projectId, { source: source?.type, target: target?.type });
  const type = typeMeant(written, types);
  const hasOntology = useHasOntology(projectId);
  const isNew = type !== "" && !types.includes(type) && !hasOntology;
  const [times, setTimes] = useState(noTimes);
  const timeFault = timesFault(times);
  const adding = useMutation({
    async mutationFn() {
      if (source === undefined || target === undefined) return;
      const text = `Added: ${source.name} ${wordsOf(type)} ${target.name}`;
      const ends = { source: named(source), target: named(target) };
      const given = { ...ends, ...timesOf(times), ...reasonOf(reason) };
      const correction = { kind: "add_relationship", type, ...given } as const;
      await correct(correction, { text, undone: undoneWords(correction) });
      keepUsedType(client, projectId, type);
      await refreshProject(client, projectId);
    },
    onSuccess: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    adding.mutate();
  };
  return (
    <Dialog title="Add a relationship" isOpen onClose={onClose}>
      <form onSubmit={submit} className={formStyles.form ?? ""}>
        <p>It is in the graph while texts mention both. You can undo it under Corrections.</p>
        {other === undefined && (
          <EntityFinder
            projectId={projectId}
            label="The other entity"
            isInForm
            whereNone={(name) => <NoEntity projectId={projectId} name={name} />}
            onChoose={setChosen}
            onClear={() => setChosen(null)}
          />
        )}
        <TextChoice
          label="Type of the relationship"
          options={[...new Set(types.map(wordsOf))]}
          value={written}
          onChange={setWritten}
        />
        <p role="status">
          <bdi>{source?.name ?? "…"}</bdi> <strong>{wordsOf(type) || "…"}</strong>{" "}
          <bdi>{target?.name ?? "…"}</bdi>
          {isNew && " – a new type"}
        </p>
        <p>
          <Button size="small" onPress={() => setTurned(!isTurned)}>
            <ArrowDownUp aria-hidden size={14} /> Swap the two
          </Button>
        </p>
        <TimeFields times={times} fault={timeFault} onChange={setTimes} />
        <TextField label="Reason (optional)" value={reason} onChange={setReason} />
        <FaultNotice error={adding.error} />
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            isPending={adding.isPending}
            isDisabled={end === undefined || type === "" || timeFault !== null}
          >
            Add
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function NoEntity({ projectId, name }: { readonly projectId: string; readonly name: string }) {
  return (
    <>
      The graph has no entity called <bdi>“{name}”</bdi>. A relationship joins two entities that documents
      mention:{" "}
      <Link to="/projects/$projectId/ingest" params={{ projectId }}>
        add a document that mentions it
      </Link>{" "}
      first.
    </>
  );
}

function named({ type, name }: End): End {
  return { type, name };
}
