/** The rows of `documents`, written by the transactions that accept and finish documents. */
import { sql } from "kysely";
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

/** Where a document occurs twice, the row gets its last job. The caller holds the project's lock. */
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
    },
    rows: [...last.values()].map(
      ({ sourceDocId, seq, archiveSeq = null }): Row => [
        ...[input.projectId, sourceDocId, input.now, input.now],
        ...[seq, archiveSeq],
      ],
    ),
    end: sql`on conflict (project_id, source_doc_id)
      do update set job_seq = excluded.job_seq, archive_seq = excluded.archive_seq`,
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
