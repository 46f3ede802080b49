import type { Document } from "@kcs/sdk";
import { useState } from "react";
import { serviceUrl } from "../../../api/address.ts";
import { documentPath } from "../../../api/deletions.ts";
import { Folded } from "../../../components/folded.tsx";
import type { TextPlace } from "./chunked-text.tsx";
import { type PdfPlace, PdfView } from "./pdf-view.tsx";
import { chosenChunk } from "./text-runs.ts";

/** The pages of a PDF, open at the chosen chunk or the marked sentence. Nothing for other documents. */
export function FilePages({
  projectId,
  document,
  chosen,
  marked,
}: {
  readonly projectId: string;
  readonly document: Document;
  readonly chosen: string | null;
  readonly marked: TextPlace | null;
}) {
  const place = placeOf(document, { chosen, marked });
  const [isOpen, setOpen] = useState(place !== null);
  const { file, source_doc_id: id, updated_at: updatedAt } = document;
  if (file?.media_type !== "application/pdf") return null;
  return (
    <Folded title="Pages of the file" isOpen={isOpen} onToggle={setOpen}>
      {isOpen && (
        <PdfView
          url={serviceUrl(`${documentPath(projectId, id)}/file`)}
          name={file.name}
          bytes={file.bytes}
          version={updatedAt}
          place={place ?? { page: 1, passage: "" }}
        />
      )}
    </Folded>
  );
}

/** The page on which the chosen passage begins; null where nothing is chosen, or its page is not known. */
function placeOf(
  { text, chunks }: Document,
  { chosen, marked }: { readonly chosen: string | null; readonly marked: TextPlace | null },
): PdfPlace | null {
  const chunk = chunks[chosenChunk(chunks, { chosen, marked })];
  if (chunk?.page === undefined) return null;
  const { start, end } = marked ?? chunk;
  return { page: chunk.page, passage: text?.slice(start, end) ?? "" };
}
