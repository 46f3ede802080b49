import type { DocumentList } from "@kcs/sdk";
import { useQuery } from "@tanstack/react-query";
import { documentsQuery } from "../../../api/documents.ts";
import { byName } from "../../../components/by-name.ts";

/** The keys of metadata that can have a column, by name: those of some documents, and the `chosen` ones. */
export function useMetadataKeys(
  projectId: string,
  documents: DocumentList["documents"],
  chosen: readonly string[] = [],
): readonly string[] {
  // Also those of documents that the filter leaves out: the choice must not go while somebody filters.
  const { data: all } = useQuery(documentsQuery(projectId, { find: "", from: 0 }));
  const seen = [...(all?.documents ?? []), ...documents];
  return [...new Set([...chosen, ...seen.flatMap(({ metadata }) => Object.keys(metadata))])].sort(byName);
}
