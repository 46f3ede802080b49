import { type FormEvent, useState } from "react";
import { Button } from "../../components/button.tsx";
import { CheckboxField } from "../../components/checkbox-field.tsx";
import { Dialog, DialogActions } from "../../components/dialog.tsx";
import { TextField } from "../../components/text-field.tsx";
import { NameChoice } from "./name-choice.tsx";
import { listOfNames, namesOf } from "./name-list.ts";
import type { EdgeTypeDraft } from "./schema-draft.ts";

/** One kind of relationship; `type` null: a new one. */
export function EdgeTypeDialog({
  type,
  nodeTypes,
  onSave,
  onClose,
}: {
  readonly type: EdgeTypeDraft | null;
  readonly nodeTypes: readonly string[];
  /** null removes it. */
  readonly onSave: (type: EdgeTypeDraft | null) => void;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState(type?.name ?? "");
  const [description, setDescription] = useState(type?.description ?? "");
  const [sources, setSources] = useState<readonly string[]>(type?.sources ?? []);
  const [targets, setTargets] = useState<readonly string[]>(type?.targets ?? []);
  const [properties, setProperties] = useState(listOfNames(type?.properties ?? []));
  const [isTemporal, setTemporal] = useState(type?.isTemporal ?? false);
  const save = (next: EdgeTypeDraft | null) => {
    onSave(next);
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save({
      ...{ name: name.trim(), description, sources, targets, isTemporal },
      properties: namesOf(properties),
    });
  };
  return (
    <Dialog title={type === null ? "Add a relationship" : type.name} isOpen onClose={onClose}>
      <form onSubmit={submit}>
        <TextField
          label="Name"
          value={name}
          onChange={setName}
          maxLength={200}
          isRequired
          autoFocus
          hint="Like WORKS_FOR."
        />
        <NameChoice label="From" names={nodeTypes} chosen={sources} onChange={setSources} />
        <NameChoice label="To" names={nodeTypes} chosen={targets} onChange={setTargets} />
        <TextField label="Description" rows={2} value={description} onChange={setDescription} />
        <TextField
          label="Properties"
          value={properties}
          onChange={setProperties}
          hint="Names with commas between them."
        />
        <CheckboxField label="It holds at a time" isSelected={isTemporal} onChange={setTemporal} />
        <DialogActions>
          {type !== null && (
            <Button variant="danger" onPress={() => save(null)}>
              Remove
            </Button>
          )}
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isDisabled={sources.length === 0 || targets.length === 0}>
            {type === null ? "Add" : "Apply"}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
