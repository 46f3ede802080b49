import type { EntityDetail } from "@kcs/sdk";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { ArrowDownUp } from "lucide-react";
import { type FormEvent, useDeferredValue, useState } from "react";
import { type NewCorrection, reasonOf, refreshProject, useCorrect } from "../../../api/corrections.ts";
import { entitiesQuery, entityQuery, survivorKey } from "../../../api/graph.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog, DialogActions } from "../../../components/dialog.tsx";
import { FaultNotice } from "../../../components/fault-notice.tsx";
import formStyles from "../../../components/form.module.css";
import { Notice } from "../../../components/notice.tsx";
import { TextChoice } from "../../../components/text-choice.tsx";
import { TextField } from "../../../components/text-field.tsx";
import { EntityFinder } from "../graph/entity-finder.tsx";
import { undoneWords } from "./correction-words.ts";
import { ownerOf } from "./name-owner.ts";
import { SplitDialog } from "./split-dialog.tsx";
import { type TypedName, useShowEntity } from "./use-show-entity.ts";
import { useEntityTypes, useHasOntology } from "./use-types.ts";

type Action = "rename" | "retype" | "merge";

const words: Readonly<Record<Action, { readonly button: string; readonly hint: string }>> = {
  rename: { button: "Rename", hint: "Texts may go on writing another name." },
  retype: {
    button: "Change type",
    hint: "Take a type of the project, or write another one.",
  },
  merge: { button: "Merge", hint: "What texts say of either is then of the one that stays." },
};

/** Buttons that correct the name, the type or the identity of an entity. */
export function CorrectEntity({
  projectId,
  entity,
}: {
  readonly projectId: string;
  readonly entity: EntityDetail;
}) {
  const [action, setAction] = useState<Action | "split" | null>(null);
  const close = () => setAction(null);
  return (
    <>
      {(["rename", "retype", "merge"] as const).map((each) => (
        <Button key={each} onPress={() => setAction(each)}>
          {words[each].button}
        </Button>
      ))}
      <Button onPress={() => setAction("split")}>Split</Button>
      {action === "split" && <SplitDialog projectId={projectId} entity={entity} onClose={close} />}
      {action !== null && action !== "split" && (
        <CorrectionDialog projectId={projectId} entity={entity} action={action} onClose={close} />
      )}
    </>
  );
}

function CorrectionDialog({
  projectId,
  entity,
  action,
  onClose,
}: {
  readonly projectId: string;
  readonly entity: EntityDetail;
  readonly action: Action;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState(entity.name);
  const [type, setType] = useState(entity.type);
  const [reason, setReason] = useState("");
  const client = useQueryClient();
  const named = { type: entity.type, name: entity.name };
  // One that exists: under a name that no entity has, a merge would be a renaming.
  const [other, setOther] = useState<string | null>(null);
  const { data: survivor } = useQuery({ ...entityQuery(projectId, other ?? ""), enabled: other !== null });
  const [isTurned, setTurned] = useState(false);
  const chosen = targetOf(action, { name: name.trim(), type: type.trim(), survivor });
  const owner = useOwner(projectId, entity, action === "merge" ? null : chosen);
  // A merge leaves one of both, by which name is up to the user.
  const [subject, target] = isTurned && chosen !== null ? [chosen, named] : [named, chosen];
  const router = useRouter();
  const correct = useCorrect(projectId);
  const showEntity = useShowEntity(projectId);
  /** Under another name or type the entity has another id. */
  const show = async (wanted: TypedName) => {
    const id = await showEntity(wanted);
    // The address of the entity before is in the history of the browser, and leads here from now on.
    if (id !== null && id !== entity.entity_id)
      client.setQueryData(survivorKey(projectId, entity.entity_id), id);
  };
  const hasOntology = useHasOntology(projectId);
  const types = useEntityTypes(projectId);
  const correcting = useMutation({
    async mutationFn() {
      if (target === null) return;
      const correction = { ...correctionOf(action, subject, target), ...reasonOf(reason) };
      await correct(correction, {
        text: owner == null ? doneWords(action, subject, target) : joinedWords(subject, owner, target),
        undone: undoneWords(correction),
        // Whoever has gone on to another page stays there.
        onUndone: async () => {
          if (router.state.location.pathname.endsWith("/entity")) await show(named);
        },
      });
      await show(target);
      await refreshProject(client, projectId);
    },
    onSuccess: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    correcting.mutate();
  };
  const isSame = chosen?.name === entity.name && chosen.type === entity.type;
  const ends = [
    `${entity.name} (${entity.type})`,
    survivor === undefined ? "…" : `${survivor.name} (${survivor.type})`,
  ];
  return (
    <Dialog title={`${words[action].button}: ${entity.name}`} isOpen onClose={onClose}>
      <form onSubmit={submit} className={formStyles.form ?? ""}>
        <p>
          {hasOntology &&
            action === "retype" &&
            "Relationships that the ontology does not allow with it are left out. "}
          {words[action].hint} You can undo it under Corrections.
        </p>
        {action === "rename" && <TextField label="New name" value={name} onChange={setName} autoFocus />}
        {action === "retype" && (
          <TextChoice label="New type" options={types} value={type} onChange={setType} autoFocus />
        )}
        {action === "merge" && (
          <>
            <EntityFinder
              projectId={projectId}
              label="The other entity"
              without={entity.entity_id}
              isInForm
              onChoose={setOther}
              onClear={() => setOther(null)}
            />
            <p role="status">
              <bdi>{ends.at(isTurned ? 1 : 0)}</bdi> <strong>becomes</strong>{" "}
              <bdi>{ends.at(isTurned ? 0 : 1)}</bdi>
            </p>
            <p>
              <Button size="small" onPress={() => setTurned(!isTurned)}>
                <ArrowDownUp aria-hidden size={14} /> Swap the two
              </Button>
            </p>
          </>
        )}
        {owner != null && <MergeNotice owner={owner} />}
        <TextField label="Reason (optional)" value={reason} onChange={setReason} />
        <FaultNotice error={correcting.error} />
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            isPending={correcting.isPending}
            isDisabled={
              target === null || target.name === "" || target.type === "" || isSame || owner === undefined
            }
          >
            {owner == null ? words[action].button : `${words[action].button} and merge`}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Before a renaming that is a merge. */
function MergeNotice({ owner }: { readonly owner: TypedName }) {
  return (
    <Notice kind="warn">
      Another entity has this name: <bdi>{owner.name}</bdi> ({owner.type}). Both <strong>become one</strong>.
    </Notice>
  );
}

/** The other entity that has the name and type; null: there is none, undefined: it is looked for. */
function useOwner(projectId: string, { entity_id: id, name, type }: EntityDetail, wanted: TypedName | null) {
  const find = useDeferredValue(wanted?.name ?? "");
  const isSame = wanted === null || (wanted.name === name && wanted.type === type);
  const listing = { find, type: wanted?.type ?? null, from: 0 };
  const { data, isPlaceholderData, isLoading } = useQuery({
    ...entitiesQuery(projectId, listing),
    enabled: !isSame && find !== "",
  });
  if (isSame) return null;
  if (find !== wanted.name || isPlaceholderData || isLoading) return undefined;
  return data === undefined ? null : ownerOf(wanted, data.entities, id);
}

/** null while no other entity is chosen. */
function targetOf(
  action: Action,
  given: TypedName & { readonly survivor: TypedName | undefined },
): TypedName | null {
  const { name, type, survivor } = given;
  if (action !== "merge") return { name, type };
  return survivor === undefined ? null : { name: survivor.name, type: survivor.type };
}

function doneWords(action: Action, entity: TypedName, target: TypedName): string {
  if (action === "rename") return `“${entity.name}” is called “${target.name}” now.`;
  if (action === "retype") return `“${entity.name}” is of the type ${target.type} now.`;
  const into = entity.name === target.name ? `“${target.name}” (${target.type})` : `“${target.name}”`;
  return `“${entity.name}” was merged into ${into}.`;
}

function joinedWords(entity: TypedName, owner: TypedName, { name }: TypedName): string {
  const [one, other] = [entity, owner].map((each) => `“${each.name}” (${each.type})`);
  return `${one} and ${other} are one entity now, “${name}”.`;
}

function correctionOf(action: Action, entity: TypedName, target: TypedName): NewCorrection {
  if (action === "rename") return { kind: "rename", entity, name: target.name };
  if (action === "retype") return { kind: "retype", entity, type: target.type };
  return { kind: "merge", entity, into: target };
}
