import { useMutation, useQueryClient } from "@tanstack/react-query";
import { FileTrigger } from "react-aria-components";
import { projectQuery } from "../../../api/projects.ts";
import { Button } from "../../../components/button.tsx";
import { readFiles } from "../ingest/read-files.ts";
import { sendDocuments, sendFiles } from "../ingest/send-documents.ts";

/** Sends a file in place of one that failed: under the id of the document, whatever the file is called. */
export function ReplaceFile({
  projectId,
  id,
  onFault,
}: {
  readonly projectId: string;
  readonly id: string;
  readonly onFault: (error: Error | null) => void;
}) {
  const queryClient = useQueryClient();
  const sending = useMutation({
    async mutationFn(file: File) {
      const { texts, others, empty } = await readFiles([{ name: id, file }]);
      if (empty.length > 0) throw new Error(`The file “${file.name}” is empty. Choose another one.`);
      const onSent = () => undefined;
      await sendDocuments(projectId, texts, { onSent });
      await sendFiles(projectId, others, { onSent });
    },
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
      <Button variant="primary" isPending={sending.isPending}>
        Send another file
      </Button>
    </FileTrigger>
  );
}
