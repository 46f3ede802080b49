import type { FormEvent, ReactNode } from "react";
import { Button } from "../../components/button.tsx";
import { Dialog, DialogActions } from "../../components/dialog.tsx";
import { TextField } from "../../components/text-field.tsx";

/** The frame in which a node type or an edge type is entered: its name on top, what it can do at the foot. */
export function TypeDialog({
  title,
  isNew,
  name,
  nameHint,
  onName,
  canSave = true,
  onSave,
  onRemove,
  onClose,
  children,
}: {
  readonly title: string;
  readonly isNew: boolean;
  readonly name: string;
  readonly nameHint: string;
  readonly onName: (name: string) => void;
  readonly canSave?: boolean;
  readonly onSave: () => void;
  readonly onRemove: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const leaveAfter = (work: () => void) => {
    work();
    onClose();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    leaveAfter(onSave);
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
        />
        {children}
        <DialogActions>
          {!isNew && (
            <Button variant="danger" onPress={() => leaveAfter(onRemove)}>
              Remove
            </Button>
          )}
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" isDisabled={!canSave}>
            {isNew ? "Add" : "Apply"}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
