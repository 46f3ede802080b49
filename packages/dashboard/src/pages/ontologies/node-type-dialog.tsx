import { useState } from "react";
import { NumberField } from "../../components/number-field.tsx";
import { TextField } from "../../components/text-field.tsx";
import { useEarlierName } from "./earlier-name.tsx";
import { NameChoice } from "./name-choice.tsx";
import { listOfNames, namesOf } from "./name-list.ts";
import { type NodeTypeDraft, namesIn } from "./schema-draft.ts";
import { TypeDialog } from "./type-dialog.tsx";

function listed(names: readonly string[]): string {
  return new Intl.ListFormat("en").format(names);
}

/** Edits a node type; `type` null creates a new one. */
export function NodeTypeDialog({
  type,
  others,
  goesWith,
  earlier,
  onSave,
  onClose,
}: {
  readonly type: NodeTypeDraft | null;
  readonly others: readonly NodeTypeDraft[];
  /** The relationship types that are removed with it. */
  readonly goesWith: readonly string[];
  /** The name under which its texts are read; null where nothing was read yet. */
  readonly earlier: string | null;
  /** Called with null to remove the type. */
  readonly onSave: (type: NodeTypeDraft | null) => void;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState(type?.name ?? "");
  const [description, setDescription] = useState(type?.description ?? "");
  const [properties, setProperties] = useState(listOfNames(type?.properties ?? []));
  const [level, setLevel] = useState(type?.level ?? 0);
  const [aggregates, setAggregates] = useState<readonly string[]>(type?.aggregates ?? []);
  const lowerTypes = others.filter((other) => other.level < level).map((other) => other.name);
  const earlierName = useEarlierName(earlier, name);
  const save = () =>
    onSave({
      name: name.trim(),
      ...earlierName.readAs,
      level,
      description,
      properties: namesOf(properties),
      aggregates: aggregates.filter((each) => lowerTypes.includes(each)),
    });
  return (
    <TypeDialog
      title={type?.name ?? "Add a type"}
      isNew={type === null}
      name={name}
      taken={namesIn(others)}
      onName={setName}
      nameHint="Singular, for example Person or CargoShip."
      onSave={save}
      onClose={onClose}
      onRemove={() => onSave(null)}
      {...(goesWith.length > 0 && { removal: `Removing it also removes ${listed(goesWith)}.` })}
    >
      {earlierName.field}
      <TextField
        label="Description"
        rows={2}
        value={description}
        onChange={setDescription}
        hint="Helps to recognise entities of this type."
      />
      <TextField
        label="Properties"
        value={properties}
        onChange={setProperties}
        hint="Names, separated by commas."
      />
      <NumberField
        label="Level"
        value={level}
        onChange={setLevel}
        min={0}
        max={1000}
        hint="0 for entities that texts name; higher levels for types that group them."
      />
      {level > 0 && (
        <NameChoice label="Groups" names={lowerTypes} chosen={aggregates} onChange={setAggregates} />
      )}
    </TypeDialog>
  );
}
