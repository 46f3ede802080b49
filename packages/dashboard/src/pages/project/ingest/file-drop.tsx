import { useMutation } from "@tanstack/react-query";
import { FileUp } from "lucide-react";
import { type DropItem, DropZone, FileTrigger, Text } from "react-aria-components";
import { messageOf } from "../../../api/fault.ts";
import { Button } from "../../../components/button.tsx";
import styles from "./file-drop.module.css";
import type { IngestInput } from "./ingest-input.ts";
import { readDropped, readFiles } from "./read-files.ts";
import { sendDocuments, sendFiles } from "./send-documents.ts";

export function FileDrop({ projectId, onSent, onFault }: IngestInput) {
  const sending = useMutation({
    async mutationFn(read: () => ReturnType<typeof readFiles>) {
      const { texts, others, empty } = await read();
      if (texts.length > 0) await sendDocuments(projectId, texts, onSent);
      if (others.length > 0) await sendFiles(projectId, others, { onSent });
      if (empty.length > 0) onFault(refusalOf(empty));
      else if (texts.length + others.length === 0) onFault("It contains no files.");
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
          ? "Sending …"
          : "Drop files here, or folders: PDF, Word, HTML, Markdown, text, scans and others"}
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
        A document gets the name of its file, including the folder. An existing document with that name is
        replaced.
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
  return `Skipped, because empty: ${shown}${rest}.`;
}
