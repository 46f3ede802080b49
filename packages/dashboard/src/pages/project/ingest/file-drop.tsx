import { useMutation } from "@tanstack/react-query";
import { FileUp } from "lucide-react";
import { type DropItem, DropZone, FileTrigger, Text } from "react-aria-components";
import { messageOf } from "../../../api/fault.ts";
import { Button } from "../../../components/button.tsx";
import styles from "./file-drop.module.css";
import type { IngestInput } from "./ingest-input.ts";
import { readDropped, readTexts } from "./read-files.ts";
import { sendDocuments } from "./send-documents.ts";

export function FileDrop({ projectId, onSent, onFault }: IngestInput) {
  const sending = useMutation({
    async mutationFn(read: () => ReturnType<typeof readTexts>) {
      const { documents, refused } = await read();
      if (documents.length > 0) await sendDocuments(projectId, documents, onSent);
      if (refused.length > 0) onFault(refusalOf(refused));
      else if (documents.length === 0) onFault("It contains no files.");
    },
    onError: (error) => onFault(messageOf(error)),
  });
  const choose = (list: FileList | null) => {
    if (list !== null) sending.mutate(() => readTexts([...list].map(nameFile)));
  };
  const take = (items: readonly DropItem[]) => sending.mutate(() => readDropped(items));
  return (
    <DropZone className={styles.zone ?? ""} onDrop={({ items }) => take(items)}>
      <FileUp aria-hidden size={28} className={styles.icon} />
      <Text slot="label" className={styles.label ?? ""}>
        {sending.isPending ? "Sending …" : "Drop text or Markdown files here, or folders"}
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
  return `Skipped, because not text: ${shown}${rest}. Convert other files to text first.`;
}
