import { ArrowDownUp } from "lucide-react";
import { useState } from "react";
import { Button } from "../../components/button.tsx";
import { CheckboxField } from "../../components/checkbox-field.tsx";
import { TextField } from "../../components/text-field.tsx";
import { useEarlierName } from "./earlier-name.tsx";
import { NameChoice } from "./name-choice.tsx";
import { listOfNames, namesOf } from "./name-list.ts";
import type { EdgeTypeDraft } from "./schema-draft.ts";
import { TypeDialog } from "./type-dialog.tsx";

/** Edits an edge type; `type` null creates a new one. */
export function EdgeTypeDialog({
  type,
  taken,
  ends,
  nodeTypes,
  earlier,
  onSave,
  onClose,
}: {
  readonly type: EdgeTypeDraft | null;
  /** Names of the other edge types. */
  readonly taken: readonly string[];
  /** Of a new one. */
  readonly ends?: { readonly source: string; readonly target?: string };
  readonly nodeTypes: readonly string[];
  /** The name under which its texts are read; null where nothing was read yet. */
  readonly earlier: string | null;
  /** Called with null to remove the type. */
  readonly onSave: (type: EdgeTypeDraft | null) => void;
  readonly onClose: () => void;
}) {
  const [name, setName] = useState(type?.name ?? "");
  const [description, setDescription] = useState(type?.description ?? "");
  const [sources, setSources] = useState<readonly string[]>(
    type?.sources ?? (ends === undefined ? [] : [ends.source]),
  );
  const [targets, setTargets] = useState<readonly string[]>(
    type?.targets ?? (ends?.target === undefined ? [] : [ends.target]),
  );
  const [properties, setProperties] = useState(listOfNames(type?.properties ?? []));
  const [isTemporal, setTemporal] = useState(type?.isTemporal ?? false);
  const [isFunctional, setFunctional] = useState(type?.isFunctional ?? false);
  const earlierName = useEarlierName(earlier, name);
  const save = () =>
    onSave({
      name: name.trim(),
      ...earlierName.readAs,
      description,
      sources,
      targets,
      isTemporal,
      isFunctional,
      properties: namesOf(properties),
    });
  return (
    <TypeDialog
      title={type?.name ?? "Add a relationship"}
      isNew={type === null}
      name={name}
      taken={taken}
      onName={setName}
      nameHint="For example WORKS_FOR."
      onSave={save}
      onClose={onClose}
      canSave={sources.length > 0 && targets.length > 0}
      onRemove={() => onSave(null)}
    >
      {earlierName.field}
      <NameChoice label="From" names={nodeTypes} chosen={sources} onChange={setSources} />
      <NameChoice label="To" names={nodeTypes} chosen={targets} onChange={setTargets} />
      <p>
        <Button
          size="small"
          onPress={() => {
            setSources(targets);
            setTargets(sources);
          }}
        >
          <ArrowDownUp aria-hidden size={14} /> Swap the two
        </Button>
      </p>
      <TextField label="Description" rows={2} value={description} onChange={setDescription} />
      <TextField
        label="Properties"
        value={properties}
        onChange={setProperties}
        hint="Names, separated by commas."
      />
      <CheckboxField
        label="Temporal: it can have a start and an end date"
        isSelected={isTemporal}
        onChange={setTemporal}
      />
      <CheckboxField
        label="One at a time: a later statement ends an earlier one"
        isSelected={isFunctional}
        onChange={setFunctional}
      />
    </TypeDialog>
  );
}
