import type { EntityDetail } from "@kcs/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { reasonOf, refreshProject, useCorrect } from "../../../api/corrections.ts";
import { Button } from "../../../components/button.tsx";
import { Dialog, DialogActions } from "../../../components/dialog.tsx";
import { FaultNotice } from "../../../components/fault-notice.tsx";
import formStyles from "../../../components/form.module.css";
import { TextChoice } from "../../../components/text-choice.tsx";
import { TextField } from "../../../components/text-field.tsx";
import { DocumentFilter } from "../ask/document-filter.tsx";
import { undoneWords } from "./correction-words.ts";
import { useShowEntity } from "./use-show-entity.ts";
import { useEntityTypes } from "./use-types.ts";

/** The limit of the service. */
const maxDocuments = 100;

/** For two things of one name: what some documents say of the entity is of another one. */
export function SplitDialog({
  projectId,
  entity,
  onClose,
}: {
  readonly projectId: string;
  readonly entity: EntityDetail;
  readonly onClose: () => void;
}) {
  const [documents, setDocuments] = useState<readonly string[]>([]);
  const [written, setName] = useState("");
  const [ofType, setType] = useState(entity.type);
  const [reason, setReason] = useState("");
  const [name, type] = [written.trim(), ofType.trim()];
  const types = useEntityTypes(projectId);
  const client = useQueryClient();
  const router = useRouter();
  const correct = useCorrect(projectId);
  const show = useShowEntity(projectId);
  const mentioning = [...new Set(entity.evidence.map(({ source_doc_id: id }) => id))];
  const splitting = useMutation({
    async mutationFn() {
      const named = { type: entity.type, name: entity.name };
      const correction = {
        ...({ kind: "split", entity: named, documents: [...documents], into: { type, name } } as const),
        ...reasonOf(reason),
      };
      await correct(correction, {
        text: `“${name}” was split from “${entity.name}”.`,
        undone: undoneWords(correction),
        // Whoever has gone on to another page stays there.
        onUndone: async () => {
          if (router.state.location.pathname.endsWith("/entity")) await show(named);
        },
      });
      await show({ type, name });
      await refreshProject(client, projectId);
    },
    onSuccess: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    splitting.mutate();
  };
  const isSame = name === entity.name && type === entity.type;
  return (
    <Dialog title={`Split: ${entity.name}`} isOpen onClose={onClose}>
      <form onSubmit={submit} className={formStyles.form ?? ""}>
        <p>
          Two things have this name? Choose the documents that mean the other one, and name it. You can undo
          it under Corrections.
        </p>
        <DocumentFilter
          projectId={projectId}
          label="Documents that mean the other one"
          placeholder="Type a part of a name to select"
          suggested={mentioning}
          chosen={documents}
          onChange={(chosen) => setDocuments(chosen.slice(0, maxDocuments))}
        />
        <TextField label="Name of the other one" value={written} onChange={setName} />
        <TextChoice label="Its type" options={types} value={ofType} onChange={setType} />
        <TextField label="Reason (optional)" value={reason} onChange={setReason} />
        <FaultNotice error={splitting.error} />
        <DialogActions>
          <Button onPress={onClose}>Cancel</Button>
          <Button
            type="submit"
            variant="primary"
            isPending={splitting.isPending}
            isDisabled={documents.length === 0 || name === "" || type === "" || isSame}
          >
            Split
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
