import type { DocumentList } from "@kcs/sdk";
import { RotateCw, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { statusOf } from "../../../api/fault.ts";
import { service } from "../../../api/service.ts";
import { Button } from "../../../components/button.tsx";
import { counted } from "../../../components/counted.ts";
import { ProgressBar } from "../../../components/progress-bar.tsx";
import { SelectionFrame } from "../../../components/selection-frame.tsx";
import { isWorthRetrying } from "../../../jobs/advice.ts";
import { maxSelected, type SelectedDocument } from "./document-table.tsx";
import { ReadAgain } from "./read-again.tsx";
import { selectionWords } from "./selection-words.ts";
import type { BulkWork } from "./use-bulk-work.ts";

/** What can be done with the selected documents together; while something is, how far it is. */
export function SelectionBar({
  projectId,
  selected,
  rows,
  total,
  work,
  onDelete,
  onClear,
  children,
}: {
  readonly projectId: string;
  readonly selected: readonly SelectedDocument[];
  /** Those of the page. */
  readonly rows: DocumentList["documents"];
  /** How many the list has. */
  readonly total: number;
  readonly work: BulkWork;
  readonly onDelete: () => void;
  readonly onClear: () => void;
  /** Selects more. */
  readonly children?: ReactNode;
}) {
  const shown = new Set(rows.map(({ source_doc_id: id }) => id));
  const failed = selected.filter(
    ({ job_id: id, error_message: reason }) => id !== null && reason !== null && isWorthRetrying(reason),
  );
  const { progress } = work;
  if (progress !== null)
    return (
      <SelectionFrame label="Selected documents" words={`${progress.doing} …`}>
        <ProgressBar label={progress.doing} value={progress.done} total={progress.all} unit="document" />
        <Button size="small" onPress={work.stop}>
          Stop
        </Button>
      </SelectionFrame>
    );
  const retry = () =>
    work.run({
      ...{ doing: "Ingesting again", items: failed, size: 1 },
      act: ([document]) => retryJob(projectId, document?.job_id ?? ""),
      doneWords: (done) => `${counted(done, "document")} ${done === 1 ? "is" : "are"} ingested again`,
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
      {failed.length > 0 && (
        <Button size="small" onPress={retry}>
          <RotateCw aria-hidden size={14} /> Ingest {failed.length.toLocaleString("en")} failed again
        </Button>
      )}
      <ReadAgain projectId={projectId} selected={selected} work={work} />
      <Button size="small" variant="danger" onPress={onDelete}>
        <Trash2 aria-hidden size={14} /> Delete
      </Button>
      <Button size="small" variant="quiet" onPress={onClear}>
        Clear
      </Button>
    </SelectionFrame>
  );
}

/** A job that another retry has taken meanwhile is none to tell of. */
async function retryJob(projectId: string, jobId: string): Promise<void> {
  try {
    await service.jobs.retry(projectId, jobId);
  } catch (error) {
    if (statusOf(error) !== 409 && statusOf(error) !== 404) throw error;
  }
}
