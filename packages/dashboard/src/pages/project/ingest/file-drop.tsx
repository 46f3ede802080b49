import { FileUp } from "lucide-react";
import { type DropItem, DropZone, FileTrigger, Text } from "react-aria-components";
import { Button } from "../../../components/button.tsx";
import styles from "./file-drop.module.css";
import { readDropped, readFiles } from "./read-files.ts";
import type { Upload } from "./use-upload.ts";

export function FileDrop({ upload: { start, isPending, state } }: { readonly upload: Upload }) {
  const choose = (list: FileList | null) => {
    if (list !== null) start(() => readFiles([...list].map(nameFile)));
  };
  const take = (items: readonly DropItem[]) => start(() => readDropped(items));
  return (
    <DropZone aria-label="Add files" className={styles.zone ?? ""} onDrop={({ items }) => take(items)}>
      <FileUp aria-hidden size={28} className={styles.icon} />
      <Text slot="label" className={styles.label ?? ""}>
        {isPending
          ? state
          : "Drop files or folders here: PDF, Word, HTML, Markdown, plain text, scanned pages"}
      </Text>
      <div className={styles.ways}>
        <FileTrigger allowsMultiple onSelect={choose}>
          <Button isDisabled={isPending}>Choose files</Button>
        </FileTrigger>
        <FileTrigger acceptDirectory onSelect={choose}>
          <Button isDisabled={isPending}>Choose a folder</Button>
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
