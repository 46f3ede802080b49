import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { messageOf } from "../../../api/fault.ts";
import { Button } from "../../../components/button.tsx";
import { TextField } from "../../../components/text-field.tsx";
import { sampleText } from "../../../first-run/sample-text.ts";
import type { IngestInput } from "./ingest-input.ts";
import styles from "./paste-form.module.css";
import { sendDocuments } from "./send-documents.ts";

export function PasteForm({ projectId, onSent, onFault }: IngestInput) {
  const [name, setName] = useState("");
  const [text, setText] = useState("");
  const sending = useMutation({
    mutationFn: () => sendDocuments(projectId, [{ source_doc_id: name.trim(), text }], onSent),
    onSuccess() {
      setName("");
      setText("");
    },
    onError: (error) => onFault(messageOf(error)),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    sending.mutate();
  };
  const takeSample = () => {
    setName(sampleText.name);
    setText(sampleText.text);
  };
  return (
    <form onSubmit={submit} className={styles.form}>
      <TextField
        label="Name"
        hint="Sending another text under the same name replaces this one."
        value={name}
        onChange={setName}
        maxLength={512}
        isRequired
      />
      <TextField label="Text" rows={12} value={text} onChange={setText} isRequired />
      <div className={styles.actions}>
        <Button type="submit" variant="primary" isPending={sending.isPending}>
          Add the text
        </Button>
        <Button variant="quiet" onPress={takeSample}>
          Use a sample text
        </Button>
      </div>
    </form>
  );
}
