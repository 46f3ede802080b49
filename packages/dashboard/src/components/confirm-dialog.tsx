import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";
import { FaultNotice } from "./fault-notice.tsx";
import { TextField } from "./text-field.tsx";

export interface ConfirmDialogProps {
  readonly title: string;
  /** What is lost. */
  readonly children: ReactNode;
  readonly action: string;
  /** Has to be typed before it can be done. */
  readonly typed?: string;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before something that cannot be undone; shown as long as it is rendered. */
export function ConfirmDialog({ title, children, action, typed, onConfirm, onClose }: ConfirmDialogProps) {
  const [text, setText] = useState("");
  const doing = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    doing.mutate();
  };
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <form onSubmit={submit}>
        <p>{children}</p>
        {typed !== undefined && (
          <TextField
            label={`Type “${typed}” to go on`}
            value={text}
            onChange={setText}
            autoComplete="off"
            autoFocus
          />
        )}
        <FaultNotice error={doing.error} />
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="danger"
            isPending={doing.isPending}
            isDisabled={typed !== undefined && text.trim() !== typed.trim()}
          >
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
