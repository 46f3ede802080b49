import type { DocumentList } from "@kcs/sdk";
import { useQuery } from "@tanstack/react-query";
import { Navigate, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";
import { undoWords, useHiddenDocuments } from "../../api/deletions.ts";
import { useStateCounts } from "../../api/document-counts.ts";
import { documentsPerPage, pageLimit } from "../../api/document-pages.ts";
import { documentsQuery } from "../../api/documents.ts";
import { Button } from "../../components/button.tsx";
import { ButtonLink } from "../../components/button-link.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { counted } from "../../components/counted.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { FaultNotice } from "../../components/fault-notice.tsx";
import { PageFault } from "../../components/page-fault.tsx";
import { Pager } from "../../components/pager.tsx";
import { PageSkeleton } from "../../components/skeleton.tsx";
import { useJobProgress } from "../../jobs/use-job-progress.ts";
import { DocumentTable } from "./documents/document-table.tsx";
import { DocumentTools } from "./documents/document-tools.tsx";
import { type DocumentsAddress, listingOf } from "./documents/documents-address.ts";
import { SelectAll } from "./documents/select-all.tsx";
import { SelectionBar } from "./documents/selection-bar.tsx";
import { namesOf } from "./documents/selection-words.ts";
import { useMetadataKeys } from "./documents/use-metadata-keys.ts";
import { maxUndone, useSelection } from "./documents/use-selection.ts";
import { visiblePage } from "./documents/visible-page.ts";
import styles from "./documents.module.css";
import { useJobChange } from "./jobs/use-job-change.ts";

type ListedDocument = DocumentList["documents"][number];

const pollMs = 3_000;
const route = "/signed-in/projects/$projectId/documents";

const isChanging = ({ status }: ListedDocument) =>
  status === "pending" || status === "running" || status === "replacing";

/** The documents of a project: found by name, state and time, with metadata as columns, deleted and retried together. */
export function DocumentsPage() {
  const { projectId } = useParams({ from: route });
  const address = useSearch({ from: route });
  const navigate = useNavigate({ from: "/projects/$projectId/documents" });
  const { data, error, hidden, isPlaceholderData } = useListed(projectId, address);
  const counts = useStateCounts(projectId);
  const keys = useMetadataKeys(projectId, data?.documents ?? [], address.columns);
  const selection = useSelection(projectId);
  const { selected, setSelected, deleting, remove } = selection;
  const { change, changing } = useJobChange(projectId);
  useJobProgress(projectId);
  const show = useCallback(
    (next: DocumentsAddress, replace = false) => void navigate({ search: next, replace }),
    [navigate],
  );
  if (error !== null) return <PageFault error={error} />;
  if (data === undefined || counts === undefined) return <PageSkeleton />;
  const isFiltered = address.find !== undefined || address.state !== undefined;
  if (data.total === 0 && !isFiltered) return <NoDocuments projectId={projectId} />;
  const { rows, total } = visiblePage(data, hidden);
  return (
    <div className={styles.page}>
      <FaultNotice error={changing.error} />
      <DocumentTools
        address={address}
        keys={keys}
        total={total}
        // They are of all names, and of documents that are about to be deleted, too.
        counts={address.find === undefined && hidden.size === 0 ? counts : {}}
        onChange={show}
      />
      {rows.length === 0 && total > 0 ? (
        <OtherPage address={address} total={total} isLast={!isPlaceholderData && data.offset > 0} />
      ) : rows.length === 0 && isFiltered ? (
        <EmptyState title="Nothing found" action={<Button onPress={() => show({})}>Show all</Button>}>
          No document of this project has this name and state. To search the texts, ask a question.
        </EmptyState>
      ) : (
        <DocumentTable
          projectId={projectId}
          rows={rows}
          address={address}
          keys={keys}
          selected={selected}
          onSelect={setSelected}
          onDelete={(id) => remove([{ source_doc_id: id }])}
          onRetry={(jobId) => change({ action: "retry", jobId })}
          isRetrying={changing.isPending}
          onChange={show}
        />
      )}
      {selected.size > 0 && (
        <SelectionBar
          projectId={projectId}
          selected={[...selected.values()]}
          rows={rows}
          total={total}
          work={selection.work}
          onDelete={selection.removeSelected}
          onClear={() => setSelected(new Map())}
        >
          <SelectAll {...{ projectId, rows, total, selected }} address={address} onSelect={setSelected} />
        </SelectionBar>
      )}
      <Pager
        from={data.offset}
        shown={rows.length}
        pageSize={documentsPerPage}
        isLoading={isPlaceholderData}
        total={total}
        onChange={(from) => show({ ...address, from })}
      />
      {deleting.length > 0 && (
        <DeleteDialog
          ids={deleting.map(({ source_doc_id: id }) => id)}
          onConfirm={selection.confirm}
          onClose={selection.keep}
        />
      )}
    </div>
  );
}

function DeleteDialog({
  ids,
  onConfirm,
  onClose,
}: {
  readonly ids: readonly string[];
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}) {
  const count = counted(ids.length, "document");
  return (
    <ConfirmDialog
      title="Delete documents"
      action={`Delete ${count}`}
      onConfirm={async () => onConfirm()}
      onClose={onClose}
    >
      The {count} that you selected will be deleted with all that was read from them:{" "}
      <bdi>{namesOf(ids)}</bdi>.{" "}
      {ids.length > maxUndone
        ? "This cannot be undone. Keep this page open until all of them are deleted; you can stop it meanwhile."
        : undoWords}
    </ConfirmDialog>
  );
}

/** The documents of the page, and of those that follow as many as are about to be deleted. */
function useListed(projectId: string, address: DocumentsAddress) {
  const hidden = useHiddenDocuments(projectId);
  const listed = useQuery({
    ...documentsQuery(projectId, { ...listingOf(address), limit: pageLimit(hidden.size) }),
    // The cached list can be older than a new job, and a job can end before this page subscribes to its events.
    refetchOnMount: "always",
    refetchInterval: ({ state }) => (state.data?.documents.some(isChanging) ? pollMs : false),
  });
  return { ...listed, hidden };
}

/** All of a page is about to be deleted: those that follow are loaded; where none follow, the page before is shown. */
function OtherPage({
  address,
  total,
  isLast,
}: {
  readonly address: DocumentsAddress;
  readonly total: number;
  readonly isLast: boolean;
}) {
  if (!isLast) return <PageSkeleton />;
  const from = Math.floor((total - 1) / documentsPerPage) * documentsPerPage;
  return <Navigate from="/projects/$projectId/documents" to="." search={{ ...address, from }} replace />;
}

function NoDocuments({ projectId }: { readonly projectId: string }) {
  return (
    <EmptyState
      title="No document yet"
      action={
        <ButtonLink to="/projects/$projectId/ingest" params={{ projectId }} variant="primary">
          Add texts
        </ButtonLink>
      }
    >
      Ingested documents are listed here, with their text and chunks.
    </EmptyState>
  );
}
