import type { Document } from "@kcs/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { FileTrigger } from "react-aria-components";
import { projectQuery } from "../../../api/projects.ts";
import { addedMs, toasts } from "../../../app/toasts/toast-store.ts";
import { Button } from "../../../components/button.tsx";
import { readFiles } from "../ingest/read-files.ts";
import { sendDocuments, sendFiles } from "../ingest/send-documents.ts";
import { ownMetadata } from "./own-metadata.ts";

/** Sends another file in place of a document's: under the id of the document, and with its metadata. The file keeps its own name, which tells its format. */
export function ReplaceFile({
  projectId,
  document: { source_doc_id: id, status, metadata },
  onFault,
}: {
  readonly projectId: string;
  readonly document: Pick<Document, "source_doc_id" | "status" | "metadata">;
  readonly onFault: (error: Error | null) => void;
}) {
  const queryClient = useQueryClient();
  const sending = useMutation({
    async mutationFn(file: File) {
      const { texts, others, empty } = await readFiles([{ name: file.name, file }]);
      if (empty.length > 0) throw new Error(`The file “${file.name}” is empty. Choose another one.`);
      const sending = { metadata: ownMetadata(metadata), onSent: () => undefined };
      const documents = texts.map(({ text }) => ({ source_doc_id: id, text, metadata: sending.metadata }));
      await sendDocuments(projectId, documents, sending);
      await sendFiles(projectId, others, { ...sending, id });
    },
    onSuccess: (_, { name }) =>
      toasts.show({
        text: `“${name}” was accepted. It replaces the text of “${id}” when it has been read.`,
        forMs: addedMs,
      }),
    onMutate: () => onFault(null),
    onError: onFault,
    onSettled: () => queryClient.invalidateQueries(projectQuery(projectId)),
  });
  const choose = (files: FileList | null) => {
    const file = files?.[0];
    if (file !== undefined) sending.mutate(file);
  };
  return (
    <FileTrigger onSelect={choose}>
      <Button variant={status === "failed" ? "primary" : "secondary"} isPending={sending.isPending}>
        {status === "failed" ? "Send another file" : "Replace the file"}
      </Button>
    </FileTrigger>
  );
}
