import type { DocumentList } from "@kcs/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { deletions } from "../../../api/deletions.ts";
import { pageLimit } from "../../../api/document-pages.ts";
import { documentsQuery } from "../../../api/documents.ts";
import { messageOf } from "../../../api/fault.ts";
import { toasts } from "../../../app/toasts/toast-store.ts";
import { Button } from "../../../components/button.tsx";
import { maxSelected } from "./document-table.tsx";
import { type DocumentsAddress, listingOf } from "./documents-address.ts";

type Selection = ReadonlyMap<string, DocumentList["documents"][number]>;

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
  const client = useQueryClient();
  const selecting = useMutation({
    async mutationFn() {
      const hidden = deletions.hiddenIn(projectId);
      const limit = maxSelected + pageLimit(hidden.size) - pageLimit(0);
      const { documents } = await client.fetchQuery(
        documentsQuery(projectId, { ...listingOf(address), from: 0, limit }),
      );
      const all = documents.filter(({ source_doc_id: id }) => !hidden.has(id)).slice(0, maxSelected);
      onSelect(new Map(all.map((each) => [each.source_doc_id, each])));
    },
    onError: (error) => toasts.show({ kind: "bad", text: messageOf(error) }),
  });
  const count = Math.min(total, maxSelected);
  const isPageSelected = rows.every(({ source_doc_id: id }) => selected.has(id));
  if (!isPageSelected || selected.size >= count) return null;
  return (
    <Button size="small" isPending={selecting.isPending} onPress={() => selecting.mutate()}>
      {total > maxSelected
        ? `Select the first ${count.toLocaleString("en")} of ${total.toLocaleString("en")} that match`
        : `Select all ${count.toLocaleString("en")} that match`}
    </Button>
  );
}
