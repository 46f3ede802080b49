import type { IngestDocument } from "@kcs/sdk";
import { service } from "../../../api/service.ts";
import type { NamedFile, SentJob } from "./ingest-input.ts";

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

/** The service takes 100 files and 256 MiB in a request, for at most two minutes. */
const maxUploadFiles = 100;
const maxUploadBytes = 32_000_000;
const uploadTimeoutMs = 150_000;

/** As `sendDocuments`, for files that the service turns into text. */
export async function sendFiles(
  projectId: string,
  files: readonly NamedFile[],
  {
    metadata = {},
    onSent,
  }: {
    /** Of each file. */
    readonly metadata?: IngestDocument["metadata"];
    readonly onSent: (jobs: readonly SentJob[]) => void;
  },
): Promise<void> {
  for (const batch of uploadsOf(files)) {
    const uploads = batch.map(({ name, file }) => ({ path: name, content: file }));
    const { jobs } = await service.files.upload(
      projectId,
      uploads,
      { metadata },
      { timeoutMs: uploadTimeoutMs },
    );
    onSent(jobs);
  }
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
