/** New versions of documents, each with its job: of texts, and of files whose text is still to be made. */
import { ADDRESS_MEDIA_TYPE } from "../../../domain/file.ts";
import type { NewFile } from "../../../ports/file-store.ts";
import type { EncodedText } from "../../../ports/store.ts";
import type { Database } from "../schema.ts";
import { changeAccount } from "./account-row.ts";
import { insertRows } from "./bulk.ts";
import { recordDocuments } from "./document-rows.ts";
import { keepContents } from "./file-contents.ts";
import { insertJobs } from "./new-jobs.ts";
import { changeProject, type LockedProject } from "./project-row.ts";

/** The caller holds the locks of project and account. */
export interface Place {
  readonly project: LockedProject;
  /** Of the account's counter: the first job has it. */
  readonly firstSeq: number;
  /** `addedBytes` of the documents. */
  readonly addedBytes: number;
  readonly now: number;
}

interface NewVersion {
  readonly jobId: string;
  readonly sourceDocId: string;
  /** As `encodeMetadata` writes it. */
  readonly metadata: string | null;
  /** null for a file. */
  readonly text: EncodedText | null;
}

/** What a version counts towards the storage of its account, apart from its file. */
export function bytesOf({ text, metadata }: Pick<NewVersion, "text" | "metadata">): number {
  return (text?.byteLength ?? 0) + Buffer.byteLength(metadata ?? "");
}

export async function insertTexts(
  db: Database,
  input: Place & { readonly documents: readonly (NewVersion & { readonly text: EncodedText })[] },
): Promise<void> {
  const { projectId, nextVersionId } = input.project;
  await insertVersions(db, { ...input, isUnread: false });
  await insertRows(
    db,
    "version_texts",
    input.documents.map(({ text }, index) => {
      const { encoding, bytes } = text;
      return { project_id: projectId, version_id: nextVersionId + index, encoding, bytes };
    }),
  );
}

/** Their contents are stored already, and counted in the account's stored bytes. */
export async function insertFiles(
  db: Database,
  input: Place & {
    readonly files: readonly (NewFile & Pick<NewVersion, "metadata"> & { readonly isMember: boolean })[];
    /** The job and version of the archive that they were unpacked from: they were accepted with it. */
    readonly archive?: { readonly seq: number; readonly versionId: number };
  },
): Promise<void> {
  const { projectId, accountId, nextVersionId } = input.project;
  const documents = input.files.map((file) => ({ ...file, text: null }));
  await insertVersions(db, { ...input, documents, isUnread: true });
  const { contentIds, freedBytes } = await keepContents(db, projectId, input.files);
  const rows = input.files.map((file, index) => ({
    project_id: projectId,
    version_id: nextVersionId + index,
    content_id: contentIds[index] ?? file.contentId,
    name: file.name,
    media_type: file.isAddress === true ? ADDRESS_MEDIA_TYPE : null,
    byte_length: file.byteLength,
    is_member: file.isMember ? 1 : 0,
    pages: null,
  }));
  await insertRows(db, "version_files", rows);
  await changeAccount(db, accountId, { storedBytes: -freedBytes });
}

async function insertVersions(
  db: Database,
  input: Place & {
    readonly documents: readonly (NewVersion & Pick<NewFile, "isAddress">)[];
    readonly isUnread: boolean;
    readonly archive?: { readonly seq: number; readonly versionId: number };
  },
): Promise<void> {
  const { project, documents, firstSeq, now, isUnread, archive } = input;
  const { projectId, accountId, nextVersionId } = project;
  await insertRows(
    db,
    "document_versions",
    documents.map((document, index) => ({
      project_id: projectId,
      version_id: nextVersionId + index,
      source_doc_id: document.sourceDocId,
      state: "new" as const,
      complete: 0,
      // No text has an empty hash.
      text_hash: document.text?.hash ?? "",
      byte_length: bytesOf(document),
      chunk_count: 0,
      metadata: document.metadata,
      text_version: archive?.versionId ?? null,
      moves: 0,
    })),
  );
  const jobs = documents.map(({ jobId, sourceDocId, isAddress: isPage }, index) => {
    const versionId = nextVersionId + index;
    return { jobId, sourceDocId, versionId, rereadsVersion: null, isUnread, isPage };
  });
  await insertJobs(db, { projectId, accountId, now, firstSeq, jobs });
  await recordDocuments(db, {
    projectId,
    documents: jobs.map(({ sourceDocId }, index) => ({
      sourceDocId,
      seq: firstSeq + index,
      archiveSeq: archive?.seq,
    })),
    now,
  });
  const storedBytes = documents.reduce((sum, document) => sum + bytesOf(document), input.addedBytes);
  await changeProject(db, projectId, { versions: jobs.length, index: false });
  await changeAccount(db, accountId, { seqs: jobs.length, pendingJobs: jobs.length, storedBytes });
}
