import { Button } from "../../components/button.tsx";
import { Dialog, DialogActions } from "../../components/dialog.tsx";

/** Asks for confirmation before unsaved changes are lost. */
export function LeaveDialog({
  onStay,
  onLeave,
}: {
  readonly onStay: () => void;
  readonly onLeave: () => void;
}) {
  return (
    <Dialog title="Leave without saving?" isOpen onClose={onStay}>
      <p>Your changes are not saved yet.</p>
      <DialogActions>
        <Button variant="danger" onPress={onLeave}>
          Leave without saving
        </Button>
        <Button variant="primary" onPress={onStay} autoFocus>
          Stay
        </Button>
      </DialogActions>
    </Dialog>
  );
}
