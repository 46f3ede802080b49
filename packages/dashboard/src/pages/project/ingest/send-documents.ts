import type { IngestDocument } from "@kcs/sdk";
import { service } from "../../../api/service.ts";
import type { NamedFile } from "./ingest-input.ts";
import { type Sending, sendEach } from "./send-each.ts";

export interface TextDocument {
  readonly source_doc_id: string;
  readonly text: string;
  readonly metadata?: IngestDocument["metadata"];
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

export function sendDocuments(
  projectId: string,
  documents: readonly TextDocument[],
  sending: Sending,
): Promise<void> {
  return sendEach(batchesOf(documents), sending, (batch) => service.documents.ingestBatch(projectId, batch));
}

/** The service takes 100 files and 256 MiB in a request, for at most two minutes. */
const maxUploadFiles = 100;
const maxUploadBytes = 32_000_000;
const uploadTimeoutMs = 150_000;

/** As `sendDocuments`, for files that the service turns into text. `metadata`: of each file. `id`: of a single one, instead of its name. */
export function sendFiles(
  projectId: string,
  files: readonly NamedFile[],
  {
    metadata = {},
    id,
    ...sending
  }: Sending & { readonly metadata?: IngestDocument["metadata"]; readonly id?: string },
): Promise<void> {
  return sendEach(uploadsOf(files), sending, (batch) => {
    const uploads = batch.map(({ name, file }) => ({ path: name, content: file }));
    return service.files.upload(
      projectId,
      uploads,
      { metadata, source_doc_id: id },
      { timeoutMs: uploadTimeoutMs },
    );
  });
}

function uploadsOf(files: readonly NamedFile[]): readonly (readonly NamedFile[])[] {
  const uploads: NamedFile[][] = [];
  let bytes = 0;
  for (const named of files) {
    const last = uploads.at(-1);
    const fits = bytes + named.file.size <= maxUploadBytes && (last?.length ?? 0) < maxUploadFiles;
    if (last !== undefined && fits) last.push(named);
    else {
      uploads.push([named]);
      bytes = 0;
    }
    bytes += named.file.size;
  }
  return uploads;
}
