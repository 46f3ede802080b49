/** Documents for their owner: lists, one document with its text, one chunk with its neighbours, and deletion. */
import { type Expression, type SqlBool, sql } from "kysely";
import type { ChunkKey } from "../../../domain/document.ts";
import type { JobStatus } from "../../../domain/job.ts";
import type {
  ChunkContext,
  DocumentContent,
  DocumentDeletion,
  StoredDocument,
} from "../../../ports/document-store.ts";
import type { Database } from "../schema.ts";
import { partsOf } from "./bulk.ts";
import { decodeMetadata, decodeText, decodeUtf8 } from "./encoding.ts";
import { finishJobs } from "./finish-jobs.ts";
import { isUnfinished } from "./job-rows.ts";
import { type LockedProject, lockProject } from "./project-row.ts";
import { applyChanges } from "./version-changes.ts";
import { removeVersions } from "./version-rows.ts";

const maxListed = 500;
/** Jobs that a deletion ends in one transaction; each writes an event for each webhook of the account. */
const maxEnded = 20;

export async function listDocuments(
  db: Database,
  input: { projectId: string; search: string | null; page: { limit: number; offset: number } },
): Promise<{ documents: readonly StoredDocument[]; total: number }> {
  const matches = matchesSearch(input.search);
  // The page first, so that rows which the offset skips are not joined.
  const page = db
    .selectFrom("documents as d")
    .select("d.source_doc_id")
    .where("d.project_id", "=", input.projectId)
    .where(matches)
    .orderBy("d.source_doc_id")
    .limit(input.page.limit)
    .offset(input.page.offset);
  const rows = await documentRows(db, input.projectId)
    .where("d.source_doc_id", "in", page)
    .orderBy("d.source_doc_id")
    .execute();
  const { total } = await db
    .selectFrom("documents as d")
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .where("d.project_id", "=", input.projectId)
    .where(matches)
    .executeTakeFirstOrThrow();
  return { documents: rows.map(toDocument), total };
}

/** `lower` changes only ASCII letters on both databases, because the column has the collation "C". */
function matchesSearch(search: string | null): Expression<SqlBool> {
  if (search === null) return sql<SqlBool>`1 = 1`;
  const part = search.replace(/[A-Z]/g, (letter) => letter.toLowerCase()).replace(/[!%_]/g, "!$&");
  return sql<SqlBool>`lower(d.source_doc_id) like ${`%${part}%`} escape '!'`;
}

/** Each document with its last job, its live version (v) and the version of that job (s). */
function documentRows(db: Database, projectId: string) {
  return db
    .selectFrom("documents as d")
    .leftJoin("jobs as j", (join) =>
      join.onRef("j.project_id", "=", "d.project_id").onRef("j.seq", "=", "d.job_seq"),
    )
    .leftJoin(
      "document_versions as v",
      (join) =>
        join
          .onRef("v.project_id", "=", "d.project_id")
          .onRef("v.source_doc_id", "=", "d.source_doc_id")
          .on(sql<SqlBool>`v.state = 'live'`), // A literal, as in the partial index.
    )
    .leftJoin("document_versions as s", (join) =>
      join.onRef("s.project_id", "=", "j.project_id").onRef("s.version_id", "=", "j.version_id"),
    )
    .select(["d.source_doc_id", "d.created_at", "d.updated_at"])
    .select(["j.job_id", "j.status", "j.error_message"])
    .select(["v.version_id", "v.complete", "v.chunk_count", "v.byte_length", "v.metadata"])
    .select(["s.version_id as sent_id", "s.byte_length as sent_bytes", "s.metadata as sent_metadata"])
    .where("d.project_id", "=", projectId);
}

type DocumentRow = Awaited<ReturnType<ReturnType<typeof documentRows>["execute"]>>[number];

function toDocument(row: DocumentRow): StoredDocument {
  return {
    sourceDocId: row.source_doc_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    job:
      row.job_id === null
        ? null
        : { jobId: row.job_id, status: row.status as JobStatus, errorMessage: row.error_message }, // Written only by the operations, from this union.
    seen:
      row.version_id === null
        ? null
        : {
            isComplete: row.complete === 1,
            chunkCount: row.chunk_count ?? 0,
            byteLength: row.byte_length ?? 0,
            metadata: decodeMetadata(row.metadata),
          },
    sent:
      row.sent_id === null
        ? null
        : { byteLength: row.sent_bytes ?? 0, metadata: decodeMetadata(row.sent_metadata) },
  };
}

export async function readDocument(
  db: Database,
  { projectId, sourceDocId }: { projectId: string; sourceDocId: string },
): Promise<DocumentContent | null> {
  const row = await documentRows(db, projectId).where("d.source_doc_id", "=", sourceDocId).executeTakeFirst();
  if (row === undefined) return null;
  const versionId = row.version_id ?? row.sent_id;
  const text =
    versionId === null
      ? undefined
      : await db
          .selectFrom("version_texts")
          .select(["encoding", "bytes"])
          .where("project_id", "=", projectId)
          .where("version_id", "=", versionId)
          .executeTakeFirst();
  const chunks =
    row.version_id === null
      ? []
      : await db
          .selectFrom("chunks")
          .select(["version_id as versionId", "position", "start_offset as start", "end_offset as end"])
          .where("project_id", "=", projectId)
          .where("version_id", "=", row.version_id)
          .orderBy("position")
          .execute();
  return {
    document: toDocument(row),
    text: text === undefined ? null : decodeText(text.encoding, text.bytes),
    chunks,
  };
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
  await db
    .deleteFrom("documents")
    .where("project_id", "=", projectId)
    .where("source_doc_id", "=", sourceDocId)
    .execute();
  const versions = await db
    .selectFrom("document_versions")
    .select("version_id")
    .where("project_id", "=", projectId)
    .where("source_doc_id", "=", sourceDocId)
    .orderBy("version_id")
    .execute();
  for (const part of partsOf(versions, maxListed)) {
    await removeVersions(
      db,
      project,
      part.map((version) => version.version_id),
    );
  }
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
    .select(["v.source_doc_id", "c.position", "c.start_offset", "c.end_offset", "c.text"])
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
  };
}
