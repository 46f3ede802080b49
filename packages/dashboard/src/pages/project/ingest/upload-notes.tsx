import { X } from "lucide-react";
import { useIsLost } from "../../../api/use-is-lost.ts";
import { Button } from "../../../components/button.tsx";
import { Notice } from "../../../components/notice.tsx";
import styles from "./upload-notes.module.css";
import type { Upload } from "./use-upload.ts";

/** What of the last upload was not sent, and a way to send it again. */
export function UploadNotes({
  upload: { notes, sendAgain, dismiss, isPending },
}: {
  readonly upload: Upload;
}) {
  const isLost = useIsLost();
  if (notes.length === 0) return null;
  const canBeSent = notes.some((note) => note.canBeSent);
  return (
    <Notice kind={canBeSent ? "bad" : "warn"}>
      <div className={styles.notes}>
        <div className={styles.texts}>
          {notes.map(({ text }) => (
            <p key={text} dir="auto">
              {text}
            </p>
          ))}
          {canBeSent && (
            <p>
              {sendAgain === null ? (
                "Choose them once more to send them."
              ) : (
                <Button size="small" isDisabled={isLost || isPending} onPress={sendAgain}>
                  Send again
                </Button>
              )}
            </p>
          )}
        </div>
        <Button variant="quiet" size="icon" aria-label="Dismiss what was not sent" onPress={dismiss}>
          <X aria-hidden size={16} />
        </Button>
      </div>
    </Notice>
  );
}
