import { documentsPerPage } from "../../../api/document-pages.ts";

interface Listed {
  readonly documents: readonly { readonly source_doc_id: string }[];
  readonly total: number;
}

/** A page without the documents that are about to be deleted, filled with those that follow, and how many there are then. */
export function visiblePage<List extends Listed>(
  { documents, total }: List,
  hidden: ReadonlySet<string>,
): { readonly rows: readonly List["documents"][number][]; readonly total: number } {
  const left = documents.filter(({ source_doc_id: id }) => !hidden.has(id));
  return { rows: left.slice(0, documentsPerPage), total: total - (documents.length - left.length) };
}
