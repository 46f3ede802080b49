import { Link2 } from "lucide-react";
import { messageOf } from "../../../api/fault.ts";
import { toasts } from "../../../app/toasts/toast-store.ts";
import { Button } from "../../../components/button.tsx";
import { copyText } from "../../../components/copy-text.ts";

/** The address has the whole view: what is chosen, drawn and hidden. */
export function CopyLink() {
  const copy = () =>
    copyText(window.location.href).then(
      () => toasts.show({ text: "The link to this view was copied." }),
      (error: unknown) => toasts.show({ kind: "bad", text: messageOf(error) }),
    );
  return (
    <Button size="icon" variant="quiet" aria-label="Copy the link to this view" onPress={() => void copy()}>
      <Link2 aria-hidden size={16} />
    </Button>
  );
}
