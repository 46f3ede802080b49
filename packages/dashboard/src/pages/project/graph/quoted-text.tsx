import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { documentQuery } from "../../../api/documents.ts";
import { withoutHeadingMarks } from "../../../components/heading-marks.ts";
import { cellText, columnNames, rowOf } from "../../../components/table-rows.ts";
import { useSeen } from "../../../components/use-seen.ts";
import styles from "./evidence-list.module.css";

export interface QuotedPlace {
  readonly source_doc_id: string;
  readonly start: number;
  readonly text: string;
}

/** The words of a document; the row of a table as its cells, with the names of their columns. */
export function QuotedText({
  projectId,
  quote,
}: {
  readonly projectId: string;
  readonly quote: QuotedPlace;
}) {
  const { text, source_doc_id: name } = quote;
  const row = rowOf(text, { start: 0, end: text.length });
  if (row === null) return withoutHeadingMarks(text, name);
  const cells = row.cells.map(({ start, end }) => cellText(text.slice(start, end)));
  return <QuotedRow projectId={projectId} quote={quote} cells={cells} />;
}

/** The names are read from the document when the row is in view. Until then, and where it has none, the cells are shown alone. */
function QuotedRow({
  projectId,
  quote: { source_doc_id: id, start, text },
  cells,
}: {
  readonly projectId: string;
  readonly quote: QuotedPlace;
  readonly cells: readonly string[];
}) {
  const { ref, isSeen } = useSeen<HTMLSpanElement>();
  const { data } = useQuery({ ...documentQuery(projectId, id), enabled: isSeen });
  // A document that has changed since has something else there.
  const isThere = data?.text?.startsWith(text, start) === true;
  const names = isThere && data?.text != null ? columnNames(data.text, start) : null;
  const filled = cells
    .map((cell, at) => ({ cell, name: names?.[at] ?? "" }))
    .filter(({ cell }) => cell !== "");
  return (
    <span ref={ref}>
      {filled.map(({ cell, name }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order of the cells of a row never changes.
        <Fragment key={at}>
          {at > 0 && " · "}
          {name !== "" && <span className={styles.column}>{name}: </span>}
          {cell}
        </Fragment>
      ))}
    </span>
  );
}
