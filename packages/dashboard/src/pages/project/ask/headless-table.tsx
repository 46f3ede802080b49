import { useQuery } from "@tanstack/react-query";
import type { ComponentProps } from "react";
import { documentQuery } from "../../../api/documents.ts";
import { columnNames } from "../../../components/table-rows.ts";
import { TableView } from "../../../components/table-view.tsx";
import { useSeen } from "../../../components/use-seen.ts";

/** A table that begins before the passage. The names of its columns are read from the document when it is in view. */
export function HeadlessTable({
  projectId,
  chunk,
  at,
  ...table
}: {
  readonly projectId: string;
  readonly chunk: {
    readonly text: string;
    readonly source_doc_id?: string;
    readonly start?: number;
  };
  /** Where it begins in the passage. */
  readonly at: number;
} & Pick<ComponentProps<typeof TableView>, "rows" | "cell">) {
  const { source_doc_id: id = "", start, text } = chunk;
  const { ref, isSeen } = useSeen<HTMLDivElement>();
  const isPlaced = id !== "" && start !== undefined;
  const { data } = useQuery({ ...documentQuery(projectId, id), enabled: isSeen && isPlaced });
  // A document that has changed since has something else there.
  const isThere = start !== undefined && data?.text?.startsWith(text, start) === true;
  const names = isThere && data?.text != null ? columnNames(data.text, start + at) : null;
  return (
    <div ref={ref}>
      <TableView head={null} names={names} {...table} />
    </div>
  );
}
