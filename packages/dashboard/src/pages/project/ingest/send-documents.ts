import { service } from "../../../api/service.ts";
import type { SentJob } from "./ingest-input.ts";

export interface TextDocument {
  readonly source_doc_id: string;
  readonly text: string;
}

/** Less than the maximum request size, to leave room for JSON escapes. */
const maxBatchCharacters = 4_000_000;
const maxBatchDocuments = 1_000;

/** Splits documents into requests. Each request counts once for the rate limit. */
export function batchesOf(documents: readonly TextDocument[]): readonly (readonly TextDocument[])[] {
  const batches: TextDocument[][] = [];
  let characters = 0;
  for (const document of documents) {
    const last = batches.at(-1);
    const fits =
      characters + document.text.length <= maxBatchCharacters && (last?.length ?? 0) < maxBatchDocuments;
    if (last !== undefined && fits) last.push(document);
    else {
      batches.push([document]);
      characters = 0;
    }
    characters += document.text.length;
  }
  return batches;
}

/** Calls `onSent` after each request, so that accepted documents are shown even when a later request is refused. */
export async function sendDocuments(
  projectId: string,
  documents: readonly TextDocument[],
  onSent: (jobs: readonly SentJob[]) => void,
): Promise<void> {
  for (const batch of batchesOf(documents)) {
    const { jobs } = await service.documents.ingestBatch(projectId, batch);
    onSent(jobs);
  }
}
