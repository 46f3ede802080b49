import type { DocumentList } from "@kcs/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { RotateCw, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { messageOf, statusOf } from "../../../api/fault.ts";
import { projectQuery } from "../../../api/projects.ts";
import { service } from "../../../api/service.ts";
import { toasts } from "../../../app/toasts/toast-store.ts";
import { Button } from "../../../components/button.tsx";
import { counted } from "../../../components/counted.ts";
import { SelectionFrame } from "../../../components/selection-frame.tsx";
import { isWorthRetrying } from "../../../jobs/advice.ts";
import { maxSelected } from "./document-table.tsx";
import { ReadAgain } from "./read-again.tsx";
import { selectionWords } from "./selection-words.ts";

type ListedDocument = DocumentList["documents"][number];

/** What can be done with the selected documents together. */
export function SelectionBar({
  projectId,
  selected,
  rows,
  total,
  onDelete,
  onClear,
  children,
}: {
  readonly projectId: string;
  readonly selected: readonly ListedDocument[];
  /** Those of the page. */
  readonly rows: readonly ListedDocument[];
  /** How many the list has. */
  readonly total: number;
  readonly onDelete: () => void;
  readonly onClear: () => void;
  /** Selects more. */
  readonly children?: ReactNode;
}) {
  const queryClient = useQueryClient();
  const shown = new Set(rows.map(({ source_doc_id: id }) => id));
  const jobs = selected.flatMap(({ job_id: id, error_message: reason }) =>
    id === null || reason === null || !isWorthRetrying(reason) ? [] : [id],
  );
  const retrying = useMutation({
    mutationFn: () => retryAll(projectId, jobs),
    onSuccess: (retried) => {
      toasts.show({
        text: `${counted(retried, "document")} ${retried === 1 ? "is" : "are"} ingested again.`,
      });
      onClear();
    },
    onError: (error) => toasts.show({ kind: "bad", text: messageOf(error) }),
    onSettled: () => queryClient.invalidateQueries(projectQuery(projectId)),
  });
  return (
    <SelectionFrame
      label="Selected documents"
      words={selectionWords({
        selected: selected.length,
        elsewhere: selected.filter(({ source_doc_id: id }) => !shown.has(id)).length,
        most: selected.length >= maxSelected && total > maxSelected ? total : null,
      })}
    >
      {children}
      {jobs.length > 0 && (
        <Button size="small" isPending={retrying.isPending} onPress={() => retrying.mutate()}>
          <RotateCw aria-hidden size={14} /> Ingest {jobs.length.toLocaleString("en")} failed again
        </Button>
      )}
      <ReadAgain projectId={projectId} selected={selected} onDone={onClear} />
      <Button size="small" variant="danger" onPress={onDelete}>
        <Trash2 aria-hidden size={14} /> Delete
      </Button>
      <Button size="small" variant="quiet" onPress={onClear}>
        Clear
      </Button>
    </SelectionFrame>
  );
}

/** Resolves to the number of jobs that the service took. A job that another retry has taken meanwhile is none. */
async function retryAll(projectId: string, jobIds: readonly string[]): Promise<number> {
  let taken = 0;
  for (const jobId of jobIds) {
    try {
      await service.jobs.retry(projectId, jobId);
      taken++;
    } catch (error) {
      if (statusOf(error) !== 409 && statusOf(error) !== 404) throw error;
    }
  }
  return taken;
}
