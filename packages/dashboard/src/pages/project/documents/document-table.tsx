import type { DocumentList } from "@kcs/sdk";
import { Link } from "@tanstack/react-router";
import { Trash2 } from "lucide-react";
import { Button } from "../../../components/button.tsx";
import { byteSize } from "../../../components/byte-size.ts";
import { CheckboxField } from "../../../components/checkbox-field.tsx";
import { MetadataValue } from "../../../components/metadata-value.tsx";
import { type Column, Table } from "../../../components/table.tsx";
import { Time } from "../../../components/time.tsx";
import { useRange } from "../../../components/use-range.ts";
import { isWorthRetrying } from "../../../jobs/advice.ts";
import { metadataLabel } from "../document/own-metadata.ts";
import { DocumentStatus } from "./document-status.tsx";
import styles from "./document-table.module.css";
import { sortedBy } from "./document-tools.tsx";
import type { DocumentsAddress } from "./documents-address.ts";

type ListedDocument = DocumentList["documents"][number];
/** What is kept of a document that is selected, also on other pages. */
export type SelectedDocument = Pick<ListedDocument, "source_doc_id" | "status" | "job_id" | "error_message">;
/** By id. */
export type Selection = ReadonlyMap<string, SelectedDocument>;

/** The page keeps each of them. */
export const maxSelected = 100_000;

interface DocumentTableProps {
  readonly projectId: string;
  readonly rows: readonly ListedDocument[];
  readonly address: DocumentsAddress;
  /** Of metadata, also those without a column. */
  readonly keys: readonly string[];
  /** By id; documents of other pages, too. */
  readonly selected: Selection;
  readonly onSelect: (selected: Selection) => void;
  readonly onDelete: (id: string) => void;
  readonly onRetry: (jobId: string) => void;
  readonly isRetrying: boolean;
  readonly onChange: (address: DocumentsAddress) => void;
}

/** Documents with their state, size, time and the metadata that was chosen. */
export function DocumentTable(props: DocumentTableProps) {
  const { rows, address, selected, onSelect, onChange } = props;
  const { sort = "name" } = address;
  const { rangeTo, watch } = useRange(rows, ({ source_doc_id: id }) => id);
  const pick = (document: ListedDocument, isOn: boolean) =>
    onSelect(changed(selected, rangeTo(document), isOn));
  return (
    <Table
      label="Documents"
      columns={columnsFor({ ...props, pick, watch })}
      rows={rows}
      keyOf={({ source_doc_id: id }) => id}
      sorting={{ by: sort.replace("-", ""), isDescending: sort.startsWith("-") }}
      onSort={({ by, isDescending }) => onChange(sortedBy(address, `${isDescending ? "-" : ""}${by}`))}
    />
  );
}

interface Picking extends Pick<ReturnType<typeof useRange>, "watch"> {
  readonly pick: (document: ListedDocument, isOn: boolean) => void;
}

function columnsFor(props: DocumentTableProps & Picking): readonly Column<ListedDocument>[] {
  const { projectId, address, keys, selected, pick, watch, onDelete, onRetry, isRetrying } = props;
  return [
    {
      title: "Name",
      sortKey: "name",
      isName: true,
      head: <PageChoice {...props} />,
      cell: (document) => {
        const { source_doc_id: id } = document;
        return (
          <div className={styles.name}>
            <span {...watch}>
              <CheckboxField
                label={`Select ${id}`}
                isLabelHidden
                isSelected={selected.has(id)}
                isDisabled={selected.size >= maxSelected && !selected.has(id)}
                onChange={(isOn) => pick(document, isOn)}
              />
            </span>
            <Link to="/projects/$projectId/document" params={{ projectId }} search={{ id }} dir="auto">
              {id}
            </Link>
          </div>
        );
      },
    },
    { title: "State", cell: (document) => <DocumentStatus document={document} /> },
    ...(address.columns ?? []).map((key) => ({
      title: metadataLabel(key, keys),
      cell: ({ metadata }: ListedDocument) => <MetadataValue value={metadata[key] ?? "–"} />,
    })),
    { title: "Chunks", isNumber: true, cell: ({ chunks }) => chunks.toLocaleString("en") },
    { title: "Text size", isNumber: true, cell: ({ bytes }) => byteSize(bytes) },
    {
      title: "Updated",
      sortKey: "updated",
      startsDescending: true,
      cell: ({ updated_at: at }) => <Time at={at} />,
    },
    {
      title: "Actions",
      isAction: true,
      cell: ({ source_doc_id: id, job_id: jobId, error_message: reason }) => (
        <span className={styles.actions}>
          {jobId !== null && reason !== null && isWorthRetrying(reason) && (
            <Button size="small" isDisabled={isRetrying} onPress={() => onRetry(jobId)}>
              Retry<span className="visually-hidden"> {id}</span>
            </Button>
          )}
          <Button size="icon" variant="quietDanger" aria-label={`Delete ${id}`} onPress={() => onDelete(id)}>
            <Trash2 aria-hidden size={16} />
          </Button>
        </span>
      ),
    },
  ];
}

/** Selects all of the page. */
function PageChoice({ rows, selected, onSelect }: DocumentTableProps) {
  const count = rows.filter(({ source_doc_id: id }) => selected.has(id)).length;
  return (
    <span className={styles.all}>
      <CheckboxField
        label="Select all of this page"
        isLabelHidden
        isSelected={rows.length > 0 && count === rows.length}
        isIndeterminate={count > 0 && count < rows.length}
        isDisabled={selected.size >= maxSelected && count === 0}
        onChange={(isOn) => onSelect(changed(selected, rows, isOn))}
      />
    </span>
  );
}

function changed(selected: Selection, documents: readonly ListedDocument[], isOn: boolean): Selection {
  const next = new Map(selected);
  for (const document of documents) {
    if (!isOn) next.delete(document.source_doc_id);
    else if (next.size < maxSelected) next.set(document.source_doc_id, document);
  }
  return next;
}
