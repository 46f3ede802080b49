import { useSuspenseQuery } from "@tanstack/react-query";
import { BookOpen } from "lucide-react";
import { projectQuery } from "../../../api/projects.ts";
import { service } from "../../../api/service.ts";
import { Button } from "../../../components/button.tsx";
import { counted } from "../../../components/counted.ts";
import type { SelectedDocument } from "./document-table.tsx";
import type { BulkWork } from "./use-bulk-work.ts";

/** Of one request. */
const maxRead = 128;

/** Reads those of the selected documents again that are indexed. There is nothing to read again without a graph. */
export function ReadAgain({
  projectId,
  selected,
  work,
}: {
  readonly projectId: string;
  readonly selected: readonly SelectedDocument[];
  readonly work: BulkWork;
}) {
  const { data: project } = useSuspenseQuery(projectQuery(projectId));
  const items = selected.filter(({ status }) => status === "indexed");
  if (project.mode === "vector_only" || items.length === 0) return null;
  const read = () =>
    work.run({
      ...{ doing: "Reading again", items, size: maxRead },
      act: (some) =>
        service.documents.reread(
          projectId,
          some.map(({ source_doc_id: id }) => id),
        ),
      doneWords: (done, all) => `${wordsOf(done, all)} again`,
    });
  return (
    <Button size="small" onPress={read}>
      <BookOpen aria-hidden size={14} />{" "}
      {items.length === selected.length
        ? "Read again"
        : `Read ${items.length.toLocaleString("en")} indexed again`}
    </Button>
  );
}

function wordsOf(read: number, all: number): string {
  const of = read === all ? "" : `${read.toLocaleString("en")} of `;
  return `${of}${counted(all, "document")} ${all === 1 ? "is" : "are"} read`;
}
