import { useState } from "react";
import { NumberField } from "../../components/number-field.tsx";
import { TextField } from "../../components/text-field.tsx";
import { NameChoice } from "./name-choice.tsx";
import { listOfNames, namesOf } from "./name-list.ts";
import type { NodeTypeDraft } from "./schema-draft.ts";
import { TypeDialog } from "./type-dialog.tsx";

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
  const nameHint = "Singular, like Person or CargoShip.";
  const save = () =>
    onSave({
      ...{ name: name.trim(), level, description },
      properties: namesOf(properties),
      aggregates: aggregates.filter((each) => below.includes(each)),
    });
  return (
    <TypeDialog
      title={type?.name ?? "Add a type"}
      {...{ isNew: type === null, name, onName: setName, nameHint, onSave: save, onClose }}
      onRemove={() => onSave(null)}
    >
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
      {level > 0 && <NameChoice label="Gathers" names={below} chosen={aggregates} onChange={setAggregates} />}
    </TypeDialog>
  );
}
