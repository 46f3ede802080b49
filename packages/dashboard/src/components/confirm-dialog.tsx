import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import { Button } from "./button.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";
import { FaultNotice } from "./fault-notice.tsx";
import { TextField } from "./text-field.tsx";

export interface ConfirmDialogProps {
  readonly title: string;
  /** Says what will be lost. */
  readonly children: ReactNode;
  readonly action: string;
  /** What the button says that leaves everything as it is. */
  readonly keep?: string;
  /** A text that the user must type to enable the action. */
  readonly typed?: string;
  /** Nothing is lost by it. */
  readonly isHarmless?: boolean;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks for confirmation of an action that cannot be undone. Open as long as it is rendered. */
export function ConfirmDialog({
  title,
  children,
  action,
  keep = "Cancel",
  typed,
  isHarmless = false,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const [text, setText] = useState("");
  const confirming = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    confirming.mutate();
  };
  return (
    <Dialog title={title} isOpen onClose={onClose}>
      <form onSubmit={submit}>
        <p>{children}</p>
        {typed !== undefined && (
          <TextField
            label={`Type “${typed}” to continue`}
            value={text}
            onChange={setText}
            autoComplete="off"
            autoFocus
          />
        )}
        <FaultNotice error={confirming.error} />
        <DialogActions>
          <Button onPress={onClose}>{keep}</Button>
          <Button
            type="submit"
            variant={isHarmless ? "primary" : "danger"}
            isPending={confirming.isPending}
            isDisabled={typed !== undefined && text.trim() !== typed.trim()}
          >
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
