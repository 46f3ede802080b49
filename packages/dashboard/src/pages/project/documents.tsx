import type { DocumentList } from "@kcs/sdk";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Trash2 } from "lucide-react";
import { useCallback, useState } from "react";
import { documentsPerPage, documentsQuery } from "../../api/documents.ts";
import { Button } from "../../components/button.tsx";
import { ButtonLink } from "../../components/button-link.tsx";
import { byteSize } from "../../components/byte-size.ts";
import { EmptyState } from "../../components/empty-state.tsx";
import { PageFault } from "../../components/page-fault.tsx";
import { Pager } from "../../components/pager.tsx";
import { SearchField } from "../../components/search-field.tsx";
import { PageSkeleton } from "../../components/skeleton.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { Time } from "../../components/time.tsx";
import { useJobProgress } from "../../jobs/use-job-progress.ts";
import { DeleteDocumentDialog } from "./documents/delete-document-dialog.tsx";
import { DocumentStatus } from "./documents/document-status.tsx";
import styles from "./documents.module.css";

type ListedDocument = DocumentList["documents"][number];

const pollMs = 3_000;

const route = "/signed-in/projects/$projectId/documents";

const isChanging = ({ status }: ListedDocument) =>
  status === "pending" || status === "running" || status === "replacing";

/** The documents of a project, searchable by name. */
export function DocumentsPage() {
  const { projectId } = useParams({ from: route });
  const { find = "", from = 0 } = useSearch({ from: route });
  const navigate = useNavigate({ from: "/projects/$projectId/documents" });
  const { data, error } = useQuery({
    ...documentsQuery(projectId, { find, from }),
    // The cached list can be older than a new job, and a job can end before this page subscribes to its events.
    refetchOnMount: "always",
    refetchInterval: ({ state }) => (state.data?.documents.some(isChanging) ? pollMs : false),
  });
  const [deleted, setDeleted] = useState<string | null>(null);
  useJobProgress(projectId);
  const search = useCallback(
    (text: string) => void navigate({ search: text === "" ? {} : { find: text }, replace: true }),
    [navigate],
  );
  if (error !== null) return <PageFault error={error} />;
  if (data === undefined) return <PageSkeleton />;
  if (data.total === 0 && find === "") return <NoDocuments projectId={projectId} />;
  return (
    <div className={styles.page}>
      <SearchField label="Find by name" value={find} onSearch={search} />
      {data.documents.length === 0 ? (
        <EmptyState title="Nothing found" action={<Button onPress={() => search("")}>Show all</Button>}>
          No document of this project has “{find}” in its name. To search the texts, ask a question.
        </EmptyState>
      ) : (
        <Table
          label="Documents"
          columns={columnsOf(projectId, setDeleted)}
          rows={data.documents}
          keyOf={({ source_doc_id: id }) => id}
        />
      )}
      <Pager
        from={from}
        shown={data.documents.length}
        pageSize={documentsPerPage}
        total={data.total}
        onChange={(next) => void navigate({ search: (current) => ({ ...current, from: next }) })}
      />
      {deleted !== null && (
        <DeleteDocumentDialog projectId={projectId} id={deleted} onClose={() => setDeleted(null)} />
      )}
    </div>
  );
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

function columnsOf(projectId: string, onDelete: (id: string) => void): readonly Column<ListedDocument>[] {
  return [
    {
      title: "Name",
      cell: ({ source_doc_id: id }) => (
        <Link to="/projects/$projectId/document" params={{ projectId }} search={{ id }} dir="auto">
          {id}
        </Link>
      ),
    },
    { title: "State", cell: (document) => <DocumentStatus document={document} /> },
    { title: "Chunks", isNumber: true, cell: ({ chunks }) => chunks.toLocaleString("en") },
    { title: "Size", isNumber: true, cell: ({ bytes }) => byteSize(bytes) },
    { title: "Updated", cell: ({ updated_at: at }) => <Time at={at} /> },
    {
      title: "Actions",
      isAction: true,
      cell: ({ source_doc_id: id }) => (
        <Button size="icon" variant="quietDanger" aria-label={`Delete ${id}`} onPress={() => onDelete(id)}>
          <Trash2 aria-hidden size={16} />
        </Button>
      ),
    },
  ];
}
