/** Lists of documents, in steps of bounded work: the ids that a list has, then the documents of some of them. */
import { type Expression, type JoinBuilder, type SqlBool, sql } from "kysely";
import type { JobStatus } from "../../../domain/job.ts";
import type {
  DocumentIds,
  DocumentOrder,
  DocumentPlace,
  DocumentState,
  StoredDocument,
  WalkDocuments,
} from "../../../ports/document-store.ts";
import type { Database, DocumentRow, JobRow, Schema } from "../schema.ts";
import { padded } from "./bulk.ts";
import { decodeMetadata } from "./encoding.ts";
import { contains } from "./graph-sql.ts";

/** Limit of documents of a step of the walk; finding its end, counting and choosing walk it three times. */
const maxWalked = 1_024;
const maxRead = 64;

export async function walkDocuments(db: Database, input: WalkDocuments): Promise<DocumentIds> {
  const { projectId, order, after, page } = input;
  const behind = db
    .selectFrom("documents as d")
    .$if(input.state !== null, (documents) => documents.leftJoin("jobs as j", isLastJob))
    .where("d.project_id", "=", projectId)
    .where(after === null ? all : compared(order, order.isDescending ? "<" : ">", after));
  const direction = order.isDescending ? "desc" : "asc";
  const inOrder = behind
    .select(["d.source_doc_id", "d.updated_at"])
    .$if(order.by === "update", (documents) => documents.orderBy("d.updated_at", direction))
    .orderBy("d.source_doc_id", direction);
  const last = await inOrder
    .limit(1)
    .offset(maxWalked - 1)
    .executeTakeFirst();
  const end = last === undefined ? null : { sourceDocId: last.source_doc_id, updatedAt: last.updated_at };
  const within = end === null ? all : compared(order, order.isDescending ? ">=" : "<=", end);
  const isMatch = sql<SqlBool>`${matchesSearch(input.search)} and ${isInState(input.state)}`;
  const { matches } = await behind
    .select((eb) => eb.fn.countAll<number>().as("matches"))
    .where(within)
    .where(isMatch)
    .executeTakeFirstOrThrow();
  const rows =
    page.limit <= 0 || page.offset >= matches
      ? []
      : await inOrder.where(within).where(isMatch).limit(page.limit).offset(page.offset).execute();
  return { ids: rows.map((row) => row.source_doc_id), matches, next: end };
}

const all = sql<SqlBool>`1 = 1`;

/** Each order is that of an index: the primary key, or `documents_by_update`. */
function compared(
  { by }: DocumentOrder,
  comparison: "<" | ">" | "<=" | ">=",
  { sourceDocId, updatedAt }: DocumentPlace,
): Expression<SqlBool> {
  const operator = sql.raw(comparison);
  if (by === "id") return sql<SqlBool>`d.source_doc_id ${operator} ${sourceDocId}`;
  return sql<SqlBool>`(d.updated_at, d.source_doc_id) ${operator} (${updatedAt}, ${sourceDocId})`;
}

/** `lower` changes only ASCII letters on both databases, because the column has the collation "C". */
function matchesSearch(search: string | null): Expression<SqlBool> {
  if (search === null) return all;
  const part = search.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return contains(sql`lower(d.source_doc_id)`, part);
}

function isLastJob(join: JoinBuilder<Schema & { d: DocumentRow; j: JobRow }, "d" | "j">) {
  return join.onRef("j.project_id", "=", "d.project_id").onRef("j.seq", "=", "d.job_seq");
}

/** As `statusOf` of the HTTP answer: by the last job `j`, and by whether queries see the complete document. */
function isInState(state: DocumentState | null): Expression<SqlBool> {
  if (state === null) return all;
  const isComplete = sql`exists (select 1 from document_versions as v where v.project_id = d.project_id
    and v.source_doc_id = d.source_doc_id and v.state = 'live' and v.complete = 1)`;
  const isBusy = sql`coalesce(j.status, '') in ('pending', 'running')`;
  if (state === "indexed") return sql<SqlBool>`(${isComplete} and not ${isBusy})`;
  if (state === "replacing") return sql<SqlBool>`(${isComplete} and ${isBusy})`;
  if (state === "failed") return sql<SqlBool>`(not ${isComplete} and not ${isBusy})`;
  return sql<SqlBool>`(not ${isComplete} and j.status = ${state})`;
}

export async function readDocuments(
  db: Database,
  input: { projectId: string; sourceDocIds: readonly string[]; withMetadata: boolean },
): Promise<readonly StoredDocument[]> {
  const { projectId, sourceDocIds, withMetadata } = input;
  if (sourceDocIds.length === 0) return [];
  const rows = await documentRows(db, projectId, withMetadata)
    .where("d.source_doc_id", "in", padded(sourceDocIds.slice(0, maxRead)))
    .orderBy("d.source_doc_id")
    .execute();
  return rows.map(toDocument);
}

/**
 * Each document with its last job, its live version (v) and the version of that job (s). Mostly they are the same one, whose
 * metadata is then read and decoded once.
 */
export function documentRows(db: Database, projectId: string, withMetadata: boolean) {
  const seen = sql<string | null>`v.metadata`;
  const sent = sql<string | null>`case when s.version_id = v.version_id then null else s.metadata end`;
  const none = sql<string | null>`cast(null as text)`;
  return db
    .selectFrom("documents as d")
    .leftJoin("jobs as j", isLastJob)
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
    .leftJoin("version_files as f", (join) =>
      join
        .onRef("f.project_id", "=", "d.project_id")
        .on(sql<SqlBool>`f.version_id = coalesce(v.version_id, s.version_id)`),
    )
    .select(["d.source_doc_id", "d.created_at", "d.updated_at"])
    .select(["f.name as file_name", "f.media_type", "f.byte_length as file_bytes"])
    .select(["j.job_id", "j.status", "j.error_message"])
    .select(["v.version_id", "v.complete", "v.chunk_count", "v.byte_length"])
    .select(["s.version_id as sent_id", "s.byte_length as sent_bytes"])
    .select([(withMetadata ? seen : none).as("metadata"), (withMetadata ? sent : none).as("sent_metadata")])
    .where("d.project_id", "=", projectId);
}

type FoundRow = Awaited<ReturnType<ReturnType<typeof documentRows>["execute"]>>[number];

export function toDocument(row: FoundRow): StoredDocument {
  const metadata = decodeMetadata(row.metadata);
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
            metadata,
          },
    sent:
      row.sent_id === null
        ? null
        : {
            byteLength: row.sent_bytes ?? 0,
            metadata: row.sent_id === row.version_id ? metadata : decodeMetadata(row.sent_metadata),
          },
    ...(row.file_name === null
      ? {}
      : { file: { name: row.file_name, mediaType: row.media_type, byteLength: row.file_bytes ?? 0 } }),
  };
}
