import { useState } from "react";
import { deleteNow } from "../../../api/deletions.ts";
import { counted } from "../../../components/counted.ts";
import type { SelectedDocument, Selection } from "./document-table.tsx";
import { type BulkTask, type BulkWork, useBulkWork } from "./use-bulk-work.ts";
import { useDocumentDeletion } from "./use-document-deletion.ts";

type Named = Pick<SelectedDocument, "source_doc_id">;

/** The deletion of more documents at once has to be confirmed. */
const maxUnasked = 10;
/** That of more is sent at once, with its progress: a page that is left could not send all of it. */
export const maxUndone = 500;

export interface SelectionState {
  readonly selected: Selection;
  readonly setSelected: (selected: Selection) => void;
  /** What the page asks about before it deletes it. */
  readonly deleting: readonly SelectedDocument[];
  readonly work: BulkWork;
  readonly remove: (documents: readonly Named[]) => void;
  readonly removeSelected: () => void;
  readonly confirm: () => void;
  readonly keep: () => void;
}

/** The selected documents, and their deletion. What does not succeed stays selected. */
export function useSelection(projectId: string): SelectionState {
  const [selected, setSelected] = useState<Selection>(new Map());
  const [deleting, setDeleting] = useState<readonly SelectedDocument[]>([]);
  const schedule = useDocumentDeletion(projectId);
  const work = useBulkWork(projectId, ({ items }, left) =>
    setSelected((before) => withoutDone(before, items, left)),
  );
  const remove = (documents: readonly Named[]) => {
    schedule(documents.map(({ source_doc_id: id }) => id));
    setSelected((before) => withoutDone(before, documents, []));
  };
  return {
    ...{ selected, setSelected, deleting, work, remove },
    removeSelected: () => (selected.size > maxUnasked ? setDeleting : remove)([...selected.values()]),
    confirm() {
      setDeleting([]);
      if (deleting.length > maxUndone) work.run(deletionOf(projectId, deleting));
      else remove(deleting);
    },
    keep: () => setDeleting([]),
  };
}

function withoutDone(
  before: Selection,
  documents: readonly Named[],
  left: readonly SelectedDocument[],
): Selection {
  const kept = new Set(left.map(({ source_doc_id: id }) => id));
  const next = new Map(before);
  for (const { source_doc_id: id } of documents) if (!kept.has(id)) next.delete(id);
  return next;
}

function deletionOf(projectId: string, items: readonly SelectedDocument[]): BulkTask {
  return {
    ...{ doing: "Deleting", items, size: 1, lanes: 4 },
    act: ([document]) => deleteNow(projectId, document?.source_doc_id ?? ""),
    doneWords: (done, all) =>
      `${done === all ? "" : `${done.toLocaleString("en")} of `}${counted(all, "document")} were deleted`,
  };
}
