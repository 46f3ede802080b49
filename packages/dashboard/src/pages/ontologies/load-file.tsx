import type { ImportedOntology } from "@kcs/sdk";
import { FileUp } from "lucide-react";
import { useState } from "react";
import { type OntologyFile, readOntologyFile } from "../../api/ontologies.ts";
import { Button } from "../../components/button.tsx";
import { Dialog, DialogActions } from "../../components/dialog.tsx";
import formStyles from "../../components/form.module.css";
import { FileImport } from "./file-import.tsx";
import { LeftOutList } from "./left-out-list.tsx";

/** A button that takes what a file says into the editor, from where it is saved as the next version. */
export function LoadFile({
  name,
  onSchema,
}: {
  /** Of the ontology; the one in the file does not count. */
  readonly name: string;
  readonly onSchema: (schema: object) => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const [read, setRead] = useState<ImportedOntology | null>(null);
  const take = async (file: OntologyFile) => {
    const imported = await readOntologyFile({ ...file, name });
    setRead(imported);
    onSchema(imported.ontology.schema);
  };
  const close = () => {
    setOpen(false);
    setRead(null);
  };
  return (
    <>
      <Button size="small" isDisabled={name.trim() === ""} onPress={() => setOpen(true)}>
        <FileUp aria-hidden size={14} /> Load a file
      </Button>
      {isOpen && (
        <Dialog title="Load a file" isOpen onClose={close}>
          {read === null ? (
            <div className={formStyles.form}>
              <p>
                The types in the editor are replaced by those of the file. Nothing is saved before you save it
                as a new version, and you can undo it.
              </p>
              <FileImport action="Load" onFile={take} />
            </div>
          ) : (
            <div className={formStyles.form}>
              <LeftOutList items={read.left_out} />
              <DialogActions>
                <Button variant="primary" onPress={close}>
                  Look at it
                </Button>
              </DialogActions>
            </div>
          )}
        </Dialog>
      )}
    </>
  );
}
