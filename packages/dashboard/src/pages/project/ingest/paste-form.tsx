import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useRef } from "react";
import { addedMs, toasts } from "../../../app/toasts/toast-store.ts";
import { Button } from "../../../components/button.tsx";
import { TextField } from "../../../components/text-field.tsx";
import { sampleText } from "../../../first-run/sample-text.ts";
import styles from "./form.module.css";
import type { IngestInput } from "./ingest-input.ts";
import { MetadataFields } from "./metadata-fields.tsx";
import { type MetadataRow, metadataOf, rowFault } from "./metadata-rows.ts";
import { formFaultOf } from "./not-sent-words.ts";
import { isOfFormat } from "./read-files.ts";
import { sendDocuments, sendFiles } from "./send-documents.ts";

export interface PastedText {
  readonly name: string;
  readonly text: string;
  readonly metadata: readonly MetadataRow[];
}

export const emptyText: PastedText = { name: "", text: "", metadata: [] };

/** What was copied out of a file of a format is read like that file. */
function send(projectId: string, pasted: PastedText, onSent: IngestInput["onSent"]): Promise<void> {
  const { text } = pasted;
  const name = pasted.name.trim();
  const metadata = metadataOf(pasted.metadata);
  return isOfFormat(text)
    ? sendFiles(projectId, [{ name, file: new File([text], name) }], { metadata, onSent })
    : sendDocuments(projectId, [{ source_doc_id: name, text, metadata }], { onSent });
}

/** A form for a text and its name. */
export function PasteForm({
  projectId,
  pasted,
  onPaste,
  onSent,
  onFault,
}: IngestInput & { readonly pasted: PastedText; readonly onPaste: (pasted: PastedText) => void }) {
  const { name, text, metadata } = pasted;
  const change = (part: Partial<PastedText>) => onPaste({ ...pasted, ...part });
  const form = useRef<HTMLFormElement>(null);
  const sending = useMutation({
    mutationFn: () => send(projectId, pasted, onSent),
    onSuccess: () => {
      toasts.show({ text: `“${name.trim()}” was added.`, forMs: addedMs });
      onPaste(emptyText);
      // The next text begins there.
      form.current?.querySelector("input")?.focus();
    },
    onError: (error) => onFault(formFaultOf(error)),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    sending.mutate();
  };
  return (
    <form ref={form} onSubmit={submit} className={styles.form}>
      <TextField
        label="Name"
        hint="If the project already has a document of this name, the text replaces it."
        value={name}
        onChange={(next) => change({ name: next })}
        maxLength={512}
        isRequired
      />
      <TextField label="Text" rows={12} value={text} onChange={(next) => change({ text: next })} isRequired />
      <MetadataFields projectId={projectId} rows={metadata} onChange={(rows) => change({ metadata: rows })} />
      <div className={styles.actions}>
        <Button
          type="submit"
          variant="primary"
          isPending={sending.isPending}
          isDisabled={metadata.some((row) => rowFault(row, metadata) !== null)}
        >
          Add the text
        </Button>
        <Button variant="quiet" onPress={() => change({ name: sampleText.name, text: sampleText.text })}>
          Use a sample text
        </Button>
      </div>
    </form>
  );
}
