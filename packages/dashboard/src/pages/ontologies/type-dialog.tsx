import type { FormEvent, ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { Dialog, DialogActions } from "../../components/dialog.tsx";
import { TextField } from "../../components/text-field.tsx";
import { isTaken } from "./schema-draft.ts";

/** The dialog for a node type or an edge type: the name at the top, the actions at the bottom. */
export function TypeDialog({
  title,
  isNew,
  name,
  taken,
  nameHint,
  onName,
  canSave = true,
  onSave,
  onRemove,
  removal,
  onClose,
  children,
}: {
  readonly title: string;
  readonly isNew: boolean;
  readonly name: string;
  /** Names of the other types of the kind. */
  readonly taken: readonly string[];
  readonly nameHint: string;
  readonly onName: (name: string) => void;
  readonly canSave?: boolean;
  readonly onSave: () => void;
  readonly onRemove: () => void;
  /** What else goes then. */
  readonly removal?: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const isFree = !isTaken(name, taken);
  const closeAfter = (action: () => void) => {
    action();
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    closeAfter(onSave);
  };
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <form onSubmit={submit}>
        <TextField
          label="Name"
          value={name}
          onChange={onName}
          maxLength={200}
          isRequired
          autoFocus
          hint={nameHint}
          {...(!isFree && { fault: "This name is taken." })}
        />
        {children}
        {removal !== undefined && <p>{removal}</p>}
        <DialogActions>
          {!isNew && (
            <Button variant="danger" onPress={() => closeAfter(onRemove)}>
              Remove
            </Button>
          )}
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isDisabled={!canSave || !isFree}>
            {isNew ? "Add" : "Apply"}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
