/** Documents for their owner: one document with its text, one chunk with its neighbours, and deletion. */
import { type ChunkSpan, type ChunkSpans, NO_SPANS, packSpans } from "../../../domain/chunk-spans.ts";
import type { ChunkKey } from "../../../domain/document.ts";
import type { ChunkContext, DocumentContent, DocumentDeletion } from "../../../ports/document-store.ts";
import type { Database } from "../schema.ts";
import { changeAccount } from "./account-row.ts";
import { documentRows, toDocument } from "./document-lists.ts";
import { removeDocument } from "./document-rows.ts";
import { decodeText, decodeUtf8 } from "./encoding.ts";
import { finishJobs } from "./finish-jobs.ts";
import { isUnfinished } from "./job-rows.ts";
import { type LockedProject, lockProject } from "./project-row.ts";
import { readTextInTurns, type VersionKey } from "./text-in-turns.ts";
import { applyChanges } from "./version-changes.ts";
import { toPlace } from "./version-files.ts";
import { removeDocumentVersions } from "./version-rows.ts";

/** Chunks whose places one statement reads. */
const maxSpans = 4_096;
/** Jobs that a deletion ends in one transaction; each writes an event for each webhook of the account. */
const maxEnded = 20;

interface DocumentKey {
  readonly projectId: string;
  readonly sourceDocId: string;
}

export function readDocument(db: Database, key: DocumentKey): Promise<DocumentContent | null> {
  return readContent(db, key, readText);
}

export function readDocumentInTurns(db: Database, key: DocumentKey): Promise<DocumentContent | null> {
  return readContent(db, key, readTextInTurns);
}

async function readContent(
  db: Database,
  { projectId, sourceDocId }: DocumentKey,
  read: typeof readTextInTurns,
): Promise<DocumentContent | null> {
  const row = await documentRows(db, projectId, true)
    .where("d.source_doc_id", "=", sourceDocId)
    .executeTakeFirst();
  if (row === undefined) return null;
  const versionId = row.version_id ?? row.sent_id;
  const text = versionId === null ? null : await read(db, { projectId, versionId });
  const chunks =
    row.version_id === null ? NO_SPANS : await readSpans(db, { projectId, versionId: row.version_id });
  return { document: toDocument(row), text, chunks };
}

/** Where the chunks of a version are in its text, in pages: on PostgreSQL, the rows of a statement are made in one turn. */
async function readSpans(db: Database, { projectId, versionId }: VersionKey): Promise<ChunkSpans> {
  const spans: Omit<ChunkSpan, "versionId">[] = [];
  for (;;) {
    const page = await db
      .selectFrom("chunks")
      .select(["position", "start_offset as start", "end_offset as end", "page"])
      .where("project_id", "=", projectId)
      .where("version_id", "=", versionId)
      .where("position", ">", spans.at(-1)?.position ?? -1)
      .orderBy("position")
      .limit(maxSpans)
      .execute();
    spans.push(...page);
    if (page.length < maxSpans) return packSpans(versionId, spans);
  }
}

async function readText(db: Database, { projectId, versionId }: VersionKey): Promise<string | null> {
  const row = await db
    .selectFrom("version_texts")
    .select(["encoding", "bytes"])
    .where("project_id", "=", projectId)
    .where("version_id", "=", versionId)
    .executeTakeFirst();
  return row === undefined ? null : decodeText(row.encoding, row.bytes);
}

export async function deleteDocument(
  db: Database,
  input: { projectId: string; sourceDocId: string; now: number; errorMessage: string },
): Promise<DocumentDeletion> {
  const { projectId, sourceDocId } = input;
  const project = await lockProject(db, projectId);
  if (project === null) return "not_found";
  const document = await db
    .selectFrom("documents")
    .select("source_doc_id")
    .where("project_id", "=", projectId)
    .where("source_doc_id", "=", sourceDocId)
    .executeTakeFirst();
  if (document === undefined) return "not_found";
  const hasMore = await endLastJobs(db, project, input);
  if (hasMore) return "more";
  const counted = await removeDocument(db, { projectId, sourceDocId });
  await changeAccount(db, project.accountId, { storedBytes: -(counted ?? 0) });
  await removeDocumentVersions(db, project, sourceDocId);
  await applyChanges(db, project, input.now);
  return "deleted";
}

/** Fails unfinished jobs of a document, the last ones first, so that none becomes ready; returns whether there are more. */
async function endLastJobs(
  db: Database,
  project: LockedProject,
  { sourceDocId, now, errorMessage }: { sourceDocId: string; now: number; errorMessage: string },
): Promise<boolean> {
  const jobs = await db
    .selectFrom("jobs")
    .select("seq")
    .where("project_id", "=", project.projectId)
    .where("source_doc_id", "=", sourceDocId)
    .where(isUnfinished)
    .orderBy("seq", "desc")
    .limit(maxEnded + 1)
    .forUpdate()
    .execute();
  const ended = jobs.slice(0, maxEnded).map(({ seq }) => ({ seq, sourceDocId, chunksProcessed: null }));
  await finishJobs(db, project, { jobs: ended.reverse(), now, errorMessage });
  return jobs.length > maxEnded;
}

/** The chunk with the chunks before and after it; null where its version is not live. */
export async function readChunkContext(
  db: Database,
  { projectId, versionId, position }: { projectId: string } & ChunkKey,
): Promise<ChunkContext | null> {
  const rows = await db
    .selectFrom("chunks as c")
    .innerJoin("document_versions as v", (join) =>
      join.onRef("v.project_id", "=", "c.project_id").onRef("v.version_id", "=", "c.version_id"),
    )
    .leftJoin("version_files as f", (join) =>
      join.onRef("f.project_id", "=", "c.project_id").onRef("f.version_id", "=", "c.version_id"),
    )
    .select(["v.source_doc_id", "c.position", "c.start_offset", "c.end_offset", "c.text"])
    .select(["c.header", "c.page", "f.version_id as file_version"])
    .where("c.project_id", "=", projectId)
    .where("c.version_id", "=", versionId)
    .where("c.position", "in", [position - 1, position, position + 1])
    .where("v.state", "=", "live")
    .execute();
  const rowAt = (at: number) => rows.find((row) => row.position === at);
  const row = rowAt(position);
  if (row === undefined) return null;
  const textAt = (at: number) => {
    const found = rowAt(at);
    return found === undefined ? null : decodeUtf8(found.text);
  };
  return {
    versionId,
    position,
    sourceDocId: row.source_doc_id,
    start: row.start_offset,
    end: row.end_offset,
    text: decodeUtf8(row.text),
    before: textAt(position - 1),
    after: textAt(position + 1),
    ...(row.file_version === null ? {} : { place: toPlace(row) }),
  };
}
