import { type FormEvent, useState } from "react";
import { Button } from "../../components/button.tsx";
import { Dialog, DialogActions } from "../../components/dialog.tsx";
import { NumberField } from "../../components/number-field.tsx";
import { TextField } from "../../components/text-field.tsx";
import { NameChoice } from "./name-choice.tsx";
import { listOfNames, namesOf } from "./name-list.ts";
import type { NodeTypeDraft } from "./schema-draft.ts";

/** One kind of thing; `type` null: a new one. */
export function NodeTypeDialog({
  type,
  others,
  onSave,
  onClose,
}: {
  readonly type: NodeTypeDraft | null;
  readonly others: readonly NodeTypeDraft[];
  /** null removes it. */
  readonly onSave: (type: NodeTypeDraft | null) => void;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState(type?.name ?? "");
  const [description, setDescription] = useState(type?.description ?? "");
  const [properties, setProperties] = useState(listOfNames(type?.properties ?? []));
  const [level, setLevel] = useState(type?.level ?? 0);
  const [aggregates, setAggregates] = useState<readonly string[]>(type?.aggregates ?? []);
  const below = others.filter((other) => other.level < level).map((other) => other.name);
  const save = (next: NodeTypeDraft | null) => {
    onSave(next);
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const gathered = aggregates.filter((each) => below.includes(each));
    save({
      ...{ name: name.trim(), level, description },
      properties: namesOf(properties),
      aggregates: gathered,
    });
  };
  return (
    <Dialog title={type === null ? "Add a type" : type.name} isOpen onClose={onClose}>
      <form onSubmit={submit}>
        <TextField
          label="Name"
          value={name}
          onChange={setName}
          maxLength={200}
          isRequired
          autoFocus
          hint="Singular, like Person or CargoShip."
        />
        <TextField
          label="Description"
          rows={2}
          value={description}
          onChange={setDescription}
          hint="Helps to tell what is of this type."
        />
        <TextField
          label="Properties"
          value={properties}
          onChange={setProperties}
          hint="Names with commas between them."
        />
        <NumberField
          label="Level"
          value={level}
          onChange={setLevel}
          min={0}
          max={1000}
          hint="0 for things that texts name; above it for what gathers them."
        />
        {level > 0 && (
          <NameChoice label="Gathers" names={below} chosen={aggregates} onChange={setAggregates} />
        )}
        <DialogActions>
          {type !== null && (
            <Button variant="danger" onPress={() => save(null)}>
              Remove
            </Button>
          )}
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary">
            {type === null ? "Add" : "Apply"}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
