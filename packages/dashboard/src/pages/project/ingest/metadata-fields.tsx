import { useQuery } from "@tanstack/react-query";
import { Plus, X } from "lucide-react";
import { documentsQuery } from "../../../api/documents.ts";
import { Button } from "../../../components/button.tsx";
import { byName } from "../../../components/by-name.ts";
import { Folded } from "../../../components/folded.tsx";
import { TextField } from "../../../components/text-field.tsx";
import { KeyField } from "../ask/key-field.tsx";
import styles from "./metadata-fields.module.css";
import { type MetadataRow, rowFault } from "./metadata-rows.ts";

/** The limit of the service. */
const maxRows = 32;
const maxValueCharacters = 512;
const emptyRow: MetadataRow = { key: "", value: "" };

/** The metadata of what is sent, behind a line. */
export function MetadataFields({
  projectId,
  rows,
  onChange,
}: {
  readonly projectId: string;
  readonly rows: readonly MetadataRow[];
  readonly onChange: (rows: readonly MetadataRow[]) => void;
}) {
  const { data } = useQuery(documentsQuery(projectId, { find: "", from: 0 }));
  const known = [...new Set(data?.documents.flatMap(({ metadata }) => Object.keys(metadata)))].sort(byName);
  const change = (at: number, part: Partial<MetadataRow>) =>
    onChange(rows.map((row, place) => (place === at ? { ...row, ...part } : row)));
  return (
    <Folded
      title={rows.length === 0 ? "Add metadata (optional)" : `Metadata: ${rows.length}`}
      isOpen={rows.length > 0}
    >
      <fieldset className={styles.fields}>
        <legend>
          What else is known of the document, such as its year or author. The list of documents can show it,
          and a question can be limited to documents that have it.
        </legend>
        {rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity that is stable while they are edited.
          <div key={at} className={styles.row}>
            <KeyField value={row.key} known={known} onChange={(key) => change(at, { key })} />
            <TextField
              label="Value"
              isLabelHidden
              placeholder="Value"
              value={row.value}
              onChange={(value) => change(at, { value })}
              maxLength={maxValueCharacters}
              {...faultOf(row, rows)}
            />
            <Button
              variant="quiet"
              size="icon"
              aria-label={`Remove the metadata ${row.key || at + 1}`}
              onPress={() => onChange(rows.filter((_, place) => place !== at))}
            >
              <X aria-hidden size={16} />
            </Button>
          </div>
        ))}
        {rows.length < maxRows && (
          <Button size="small" variant="quiet" onPress={() => onChange([...rows, emptyRow])}>
            <Plus aria-hidden size={14} /> Add a key and a value
          </Button>
        )}
      </fieldset>
    </Folded>
  );
}

function faultOf(row: MetadataRow, rows: readonly MetadataRow[]): { readonly fault?: string } {
  const fault = rowFault(row, rows);
  return fault === null ? {} : { fault };
}
