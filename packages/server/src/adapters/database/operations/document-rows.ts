/** The rows of `documents`, written by the transactions that accept and finish documents. */
import { sql } from "kysely";
import { documentBytes } from "../../../domain/document.ts";
import type { Database } from "../schema.ts";
import { padded, partsOf } from "./bulk.ts";
import { insertAll, type Row } from "./graph-sql.ts";

const maxListed = 500;

export interface AcceptedDocument {
  readonly sourceDocId: string;
  /** `seq` of its job. */
  readonly seq: number;
  /** Of a member: that of its archive's job. */
  readonly archiveSeq?: number | undefined;
}

/** What the account stores more once these documents are recorded. The caller holds the project's lock. */
export async function addedBytes(
  db: Database,
  projectId: string,
  documents: readonly { readonly sourceDocId: string }[],
): Promise<number> {
  const ids = [...new Set(documents.map(({ sourceDocId }) => sourceDocId))];
  let added = ids.reduce((sum, id) => sum + documentBytes(id), 0);
  for (const part of partsOf(ids, maxListed)) {
    const { counted } = await db
      .selectFrom("documents")
      .select((eb) => eb.fn.sum<number | null>("byte_length").as("counted"))
      .where("project_id", "=", projectId)
      .where("source_doc_id", "in", padded(part))
      .executeTakeFirstOrThrow();
    added -= Number(counted ?? 0);
  }
  return added;
}

/** Removes a document with the given last job, or any; returns what it counted, null where there is none. */
export async function removeDocument(
  db: Database,
  { projectId, sourceDocId, seq }: { projectId: string; sourceDocId: string; seq?: number },
): Promise<number | null> {
  const removed = await db
    .deleteFrom("documents")
    .where("project_id", "=", projectId)
    .where("source_doc_id", "=", sourceDocId)
    .$if(seq !== undefined, (documents) => documents.where("job_seq", "=", seq ?? 0))
    .returning("byte_length")
    .executeTakeFirst();
  return removed?.byte_length ?? null;
}

/** Where a document occurs twice, the row gets its last job. The caller holds the project's lock, and charges the account. */
export async function recordDocuments(
  db: Database,
  input: { projectId: string; documents: readonly AcceptedDocument[]; now: number },
): Promise<void> {
  const last = new Map(input.documents.map((document) => [document.sourceDocId, document]));
  await insertAll(db, {
    table: "documents",
    columns: {
      project_id: "text",
      source_doc_id: "text",
      created_at: "bigint",
      updated_at: "bigint",
      job_seq: "bigint",
      archive_seq: "bigint",
      byte_length: "bigint",
    },
    rows: [...last.values()].map(
      ({ sourceDocId, seq, archiveSeq = null }): Row => [
        ...[input.projectId, sourceDocId, input.now, input.now],
        ...[seq, archiveSeq, documentBytes(sourceDocId)],
      ],
    ),
    end: sql`on conflict (project_id, source_doc_id)
      do update set job_seq = excluded.job_seq, archive_seq = excluded.archive_seq, byte_length = excluded.byte_length`,
  });
}

/** Sets `updated_at` of documents whose new version is complete. */
export async function touchDocuments(
  db: Database,
  input: { projectId: string; sourceDocIds: readonly string[]; now: number },
): Promise<void> {
  for (const part of partsOf(input.sourceDocIds, maxListed)) {
    await db
      .updateTable("documents")
      .set({ updated_at: input.now })
      .where("project_id", "=", input.projectId)
      .where("source_doc_id", "in", padded(part))
      .execute();
  }
}
