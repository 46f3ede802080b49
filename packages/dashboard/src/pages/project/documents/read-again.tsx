import type { DocumentList } from "@kcs/sdk";
import { useMutation, useQueryClient, useSuspenseQuery } from "@tanstack/react-query";
import { BookOpen } from "lucide-react";
import { messageOf } from "../../../api/fault.ts";
import { projectQuery } from "../../../api/projects.ts";
import { service } from "../../../api/service.ts";
import { toasts } from "../../../app/toasts/toast-store.ts";
import { Button } from "../../../components/button.tsx";
import { counted } from "../../../components/counted.ts";

/** Of one request. */
const maxRead = 128;

/** Reads those of the selected documents again that are indexed. There is nothing to read again without a graph. */
export function ReadAgain({
  projectId,
  selected,
  onDone,
}: {
  readonly projectId: string;
  readonly selected: DocumentList["documents"];
  readonly onDone: () => void;
}) {
  const queryClient = useQueryClient();
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const ids = selected.flatMap(({ status, source_doc_id: id }) => (status === "indexed" ? [id] : []));
  const reading = useMutation({
    mutationFn: () => readEach(projectId, ids),
    onSuccess: ({ read, refusal }) => {
      const text = `${wordsOf(read, ids.length)} again.`;
      if (refusal === null) {
        toasts.show({ text });
        onDone();
      } else toasts.show({ kind: "bad", text: `${text} ${messageOf(refusal)}` });
    },
    onError: (error) => toasts.show({ kind: "bad", text: messageOf(error) }),
    onSettled: () => queryClient.invalidateQueries(projectQuery(projectId)),
  });
  if (project.mode === "vector_only" || ids.length === 0) return null;
  return (
    <Button size="small" isPending={reading.isPending} onPress={() => reading.mutate()}>
      <BookOpen aria-hidden size={14} />{" "}
      {ids.length === selected.length
        ? "Read again"
        : `Read ${ids.length.toLocaleString("en")} indexed again`}
    </Button>
  );
}

function wordsOf(read: number, all: number): string {
  const of = read === all ? "" : `${read.toLocaleString("en")} of `;
  return `${of}${counted(all, "document")} ${all === 1 ? "is" : "are"} read`;
}

/** In steps; `refusal`: why it did not go on after some. */
async function readEach(
  projectId: string,
  ids: readonly string[],
): Promise<{ readonly read: number; readonly refusal: unknown }> {
  let read = 0;
  for (let at = 0; at < ids.length; at += maxRead) {
    try {
      const { jobs } = await service.documents.reread(projectId, ids.slice(at, at + maxRead));
      read += jobs.length;
    } catch (error) {
      if (at === 0) throw error;
      return { read, refusal: error };
    }
  }
  return { read, refusal: null };
}
