import type { EntityDetail } from "@kcs/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { type FormEvent, type ReactNode, useState } from "react";
import { type NewCorrection, reasonOf, refreshProject, useCorrect } from "../../../api/corrections.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog, DialogActions } from "../../../components/dialog.tsx";
import { FaultNotice } from "../../../components/fault-notice.tsx";
import formStyles from "../../../components/form.module.css";
import { Section } from "../../../components/section.tsx";
import { TextChoice } from "../../../components/text-choice.tsx";
import { TextField } from "../../../components/text-field.tsx";
import styles from "../entity.module.css";
import { EntityProperties } from "../graph/entity-facts.tsx";
import { undoneWords } from "./correction-words.ts";
import { usePropertyNames } from "./use-types.ts";

interface Place {
  readonly projectId: string;
  readonly entity: EntityDetail;
}

interface Value {
  readonly property: string;
  readonly value: string;
}

/** The properties of an entity, with buttons to add and to remove one. */
export function PropertySection({ projectId, entity }: Place) {
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<Value | null>(null);
  const place = { projectId, entity };
  return (
    <Section
      title="Properties"
      action={
        <Button size="small" onPress={() => setAdding(true)}>
          <Plus aria-hidden size={14} /> Add a property
        </Button>
      }
    >
      {Object.keys(entity.properties).length === 0 ? (
        <p className={styles.none}>No property was read from the documents.</p>
      ) : (
        <EntityProperties
          entity={entity}
          toolOf={(property, value) => (
            <Button
              size="icon"
              variant="quiet"
              aria-label={`Remove ${property}: ${value}`}
              onPress={() => setRemoved({ property, value })}
            >
              <X aria-hidden size={14} />
            </Button>
          )}
        />
      )}
      {isAdding && <AddDialog {...place} onClose={() => setAdding(false)} />}
      {removed !== null && <RemoveDialog {...place} removed={removed} onClose={() => setRemoved(null)} />}
    </Section>
  );
}

function AddDialog({ projectId, entity, onClose }: Place & { readonly onClose: () => void }) {
  const [property, setProperty] = useState("");
  const [value, setValue] = useState("");
  const given = { property: property.trim(), value: value.trim() };
  const own = usePropertyNames(projectId, entity.type);
  const names = [...new Set([...own, ...Object.keys(entity.properties)])];
  return (
    <PropertyDialog
      {...{ projectId, entity, onClose }}
      title="Add a property"
      action="Add"
      given={given.property === "" || given.value === "" ? null : given}
      kind="add_property"
      done={`Added: ${given.property} ${given.value} of ${entity.name}`}
    >
      <p>The entity has it while texts mention it. You can undo it under Corrections.</p>
      <TextChoice label="Property" options={names} value={property} onChange={setProperty} autoFocus />
      <TextField label="Value" value={value} onChange={setValue} />
    </PropertyDialog>
  );
}

function RemoveDialog({
  projectId,
  entity,
  removed,
  onClose,
}: Place & { readonly removed: Value; readonly onClose: () => void }) {
  const { property, value } = removed;
  return (
    <PropertyDialog
      {...{ projectId, entity, onClose }}
      title="Remove a property"
      action="Remove"
      given={removed}
      kind="remove_property"
      done={`Removed: ${property} ${value} of ${entity.name}`}
    >
      <p>
        “<bdi>{entity.name}</bdi>” will not have{" "}
        <strong>
          <bdi>
            {property}: {value}
          </bdi>
        </strong>
        , whatever texts say. You can undo it under Corrections.
      </p>
    </PropertyDialog>
  );
}

function PropertyDialog({
  projectId,
  entity: { type, name },
  title,
  action,
  given,
  kind,
  done,
  onClose,
  children,
}: Place & {
  readonly title: string;
  readonly action: string;
  /** null: not complete. */
  readonly given: Value | null;
  readonly kind: "add_property" | "remove_property";
  readonly done: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const [reason, setReason] = useState("");
  const client = useQueryClient();
  const correct = useCorrect(projectId);
  const correcting = useMutation({
    async mutationFn() {
      if (given === null) return;
      const correction: NewCorrection = { kind, entity: { type, name }, ...given, ...reasonOf(reason) };
      await correct(correction, { text: done, undone: undoneWords(correction) });
      await refreshProject(client, projectId);
    },
    onSuccess: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    correcting.mutate();
  };
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <form onSubmit={submit} className={formStyles.form ?? ""}>
        {children}
        <TextField label="Reason (optional)" value={reason} onChange={setReason} />
        <FaultNotice error={correcting.error} />
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            isPending={correcting.isPending}
            isDisabled={given === null}
          >
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
