import { useMutation } from "@tanstack/react-query";
import { FileUp } from "lucide-react";
import { useState } from "react";
import { type DropItem, DropZone, FileTrigger, Text } from "react-aria-components";
import { messageOf } from "../../../api/fault.ts";
import { Button } from "../../../components/button.tsx";
import styles from "./file-drop.module.css";
import type { IngestInput, SentJob } from "./ingest-input.ts";
import { readDropped, readFiles } from "./read-files.ts";
import { sendDocuments, sendFiles } from "./send-documents.ts";

export function FileDrop({ projectId, onSent, onFault }: IngestInput) {
  const [state, setState] = useState("");
  const sending = useMutation({
    async mutationFn(read: () => ReturnType<typeof readFiles>) {
      setState("Reading the files …");
      const { texts, others, empty } = await read();
      const count = texts.length + others.length;
      let sent = 0;
      const tell = (rest: string) =>
        setState(`Sent ${sent.toLocaleString("en")} of ${count.toLocaleString("en")}${rest}`);
      tell(" …");
      const each = {
        onSent(jobs: readonly SentJob[]) {
          sent += jobs.length;
          onSent(jobs);
          tell(" …");
        },
        onWait: (seconds: number) =>
          tell(`. The service takes no more for ${seconds} s; then the rest is sent`),
      };
      try {
        await sendDocuments(projectId, texts, each);
        await sendFiles(projectId, others, each);
      } catch (error) {
        if (sent === 0) throw error;
        throw new Error(
          `${sent.toLocaleString("en")} of ${count.toLocaleString("en")} files were sent. ${messageOf(error)}`,
        );
      }
      if (empty.length > 0) onFault(refusalOf(empty));
      else if (texts.length + others.length === 0) onFault("There is no file in what you chose.");
    },
    onError: (error) => onFault(messageOf(error)),
  });
  const choose = (list: FileList | null) => {
    if (list !== null) sending.mutate(() => readFiles([...list].map(nameFile)));
  };
  const take = (items: readonly DropItem[]) => sending.mutate(() => readDropped(items));
  return (
    <DropZone aria-label="Add files" className={styles.zone ?? ""} onDrop={({ items }) => take(items)}>
      <FileUp aria-hidden size={28} className={styles.icon} />
      <Text slot="label" className={styles.label ?? ""}>
        {sending.isPending
          ? state
          : "Drop files or folders here: PDF, Word, HTML, Markdown, plain text, scanned pages"}
      </Text>
      <div className={styles.ways}>
        <FileTrigger allowsMultiple onSelect={choose}>
          <Button isDisabled={sending.isPending}>Choose files</Button>
        </FileTrigger>
        <FileTrigger acceptDirectory onSelect={choose}>
          <Button isDisabled={sending.isPending}>Choose a folder</Button>
        </FileTrigger>
      </div>
      <p className={styles.hint}>
        Also PowerPoint, Excel, OpenDocument, EPUB, e&#8209;mail, CSV, JSON, and ZIP archives of these. Each
        file becomes a document with the name of the file and its folder. If the project already has a
        document of that name, the file replaces it.
      </p>
    </DropZone>
  );
}

function nameFile(file: File) {
  return { name: file.webkitRelativePath || file.name, file };
}

function refusalOf(refused: readonly string[]): string {
  const shown = refused.slice(0, 3).join(", ");
  const rest = refused.length > 3 ? ` and ${refused.length - 3} more` : "";
  return `Not sent, because there is nothing in it: ${shown}${rest}.`;
}
