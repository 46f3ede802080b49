import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useRef } from "react";
import { messageOf } from "../../../api/fault.ts";
import { toasts } from "../../../app/toasts/toast-store.ts";
import { Button } from "../../../components/button.tsx";
import { TextField } from "../../../components/text-field.tsx";
import { sampleText } from "../../../first-run/sample-text.ts";
import type { IngestInput } from "./ingest-input.ts";
import styles from "./paste-form.module.css";
import { isOfFormat } from "./read-files.ts";
import { sendDocuments, sendFiles } from "./send-documents.ts";

export interface PastedText {
  readonly name: string;
  readonly text: string;
}

export const emptyText: PastedText = { name: "", text: "" };

/** What was copied out of a file of a format is read like that file. */
function send(projectId: string, { name, text }: PastedText, onSent: IngestInput["onSent"]): Promise<void> {
  if (isOfFormat(text)) return sendFiles(projectId, [{ name, file: new File([text], name) }], onSent);
  return sendDocuments(projectId, [{ source_doc_id: name, text }], onSent);
}

/** A form for a text and its name. */
export function PasteForm({
  projectId,
  pasted: { name, text },
  onPaste,
  onSent,
  onFault,
}: IngestInput & { readonly pasted: PastedText; readonly onPaste: (pasted: PastedText) => void }) {
  const form = useRef<HTMLFormElement>(null);
  const sending = useMutation({
    mutationFn: () => send(projectId, { name: name.trim(), text }, onSent),
    onSuccess: () => {
      toasts.show({ text: `“${name.trim()}” was added. It is listed below with its progress.` });
      onPaste(emptyText);
      // The next text begins there.
      form.current?.querySelector("input")?.focus();
    },
    onError: (error) => onFault(messageOf(error)),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    sending.mutate();
  };
  return (
    <form ref={form} onSubmit={submit} className={styles.form}>
      <TextField
        label="Name"
        hint="Sending another text under the same name replaces this one."
        value={name}
        onChange={(next) => onPaste({ name: next, text })}
        maxLength={512}
        isRequired
      />
      <TextField
        label="Text"
        rows={12}
        value={text}
        onChange={(next) => onPaste({ name, text: next })}
        isRequired
      />
      <div className={styles.actions}>
        <Button type="submit" variant="primary" isPending={sending.isPending}>
          Add the text
        </Button>
        <Button variant="quiet" onPress={() => onPaste(sampleText)}>
          Use a sample text
        </Button>
      </div>
    </form>
  );
}
