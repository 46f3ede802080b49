import type { DocumentList } from "@kcs/sdk";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { deletions } from "../../../api/deletions.ts";
import { listDocuments } from "../../../api/documents.ts";
import { messageOf } from "../../../api/fault.ts";
import { toasts } from "../../../app/toasts/toast-store.ts";
import { Button } from "../../../components/button.tsx";
import { maxSelected, type SelectedDocument, type Selection } from "./document-table.tsx";
import { type DocumentsAddress, listingOf } from "./documents-address.ts";

/** Of one request. */
const maxRead = 1_000;

/** When all of a page is selected: selects what else matches, too. */
export function SelectAll({
  projectId,
  address,
  rows,
  total,
  selected,
  onSelect,
}: {
  readonly projectId: string;
  readonly address: DocumentsAddress;
  /** Those of the page. */
  readonly rows: DocumentList["documents"];
  /** How many match. */
  readonly total: number;
  readonly selected: Selection;
  readonly onSelect: (selected: Selection) => void;
}) {
  const [read, setRead] = useState(0);
  const count = Math.min(total, maxSelected);
  const selecting = useMutation({
    async mutationFn() {
      const hidden = deletions.hiddenIn(projectId);
      const all = new Map<string, SelectedDocument>();
      let isLast = false;
      for (let from = 0; !isLast && all.size < maxSelected; from += maxRead) {
        setRead(from);
        const { documents } = await listDocuments(projectId, {
          ...listingOf(address),
          ...{ from, limit: maxRead },
        });
        for (const { source_doc_id: id, status, job_id, error_message } of documents)
          if (!hidden.has(id) && all.size < maxSelected)
            all.set(id, { source_doc_id: id, status, job_id, error_message });
        isLast = documents.length < maxRead;
      }
      onSelect(all);
    },
    onError: (error) => toasts.show({ kind: "bad", text: messageOf(error) }),
  });
  const isPageSelected = rows.every(({ source_doc_id: id }) => selected.has(id));
  if (!isPageSelected || selected.size >= count) return null;
  const all = count.toLocaleString("en");
  return (
    <Button size="small" isPending={selecting.isPending} onPress={() => selecting.mutate()}>
      {selecting.isPending && read > 0
        ? `Selecting: ${read.toLocaleString("en")} of ${all}`
        : total > maxSelected
          ? `Select the first ${all} of ${total.toLocaleString("en")} that match`
          : `Select all ${all} that match`}
    </Button>
  );
}
