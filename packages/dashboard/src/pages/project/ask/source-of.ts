import type { QueryChunk } from "@kcs/sdk";

/** What the address of a document says so that its page opens at a place of a passage. */
export function sourceOf(
  { source_doc_id: id = "", chunk_id: chunk, start }: QueryChunk,
  place: { readonly start: number; readonly end: number } | null,
): { readonly id: string; readonly chunk?: string; readonly mark?: string } {
  return {
    id,
    ...(chunk === undefined ? {} : { chunk }),
    ...(place === null || start === undefined ? {} : { mark: `${start + place.start}-${start + place.end}` }),
  };
}
