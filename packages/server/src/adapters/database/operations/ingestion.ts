/** Accepts documents as jobs, and lists jobs. */
import type { Job, JobStatus } from "../../../domain/job.ts";
import type { AcceptDocuments, AcceptOutcome, EncodedText, NewDocument, Page } from "../../../ports/store.ts";
import type { Database } from "../schema.ts";
import { changeAccount, lockAccount } from "./account-row.ts";
import { countRequest, findRefusal } from "./admission.ts";
import { insertRows } from "./bulk.ts";
import { recordDocuments } from "./document-rows.ts";
import { encodeMetadata, encodeText } from "./encoding.ts";
import { jobColumns, toJob } from "./job-rows.ts";
import { insertJobs } from "./new-jobs.ts";
import { changeProject, type LockedProject, lockProject } from "./project-row.ts";
import { addUsage } from "./usage.ts";

export async function acceptDocuments(db: Database, input: AcceptDocuments): Promise<AcceptOutcome> {
  const project = await lockProject(db, input.projectId);
  if (project === null || project.accountId !== input.accountId) return { kind: "project_gone" };
  const account = await lockAccount(db, input.accountId);
  const contents = input.documents.map(encodeContent);
  const bytes = contents.reduce((sum, content) => sum + content.byteLength, 0);
  const jobs = input.documents.length;
  const refusal = await findRefusal(db, input, { account, jobs, bytes });
  if (refusal !== null) return refusal;

  const accepted = await countRequest(db, input, account.next_seq);
  await insertDocuments(db, input, { project, contents, firstSeq: account.next_seq + 1 });
  await changeProject(db, input.projectId, { versions: jobs, index: false });
  await changeAccount(db, input.accountId, { seqs: jobs + 1, pendingJobs: jobs, storedBytes: bytes });
  await addUsage(db, { ...input, tokens: 0, documents: jobs, chunks: 0 });
  return accepted;
}

/** A document as it is stored; `byteLength` counts towards the storage of its account. */
interface Content {
  readonly text: EncodedText;
  readonly metadata: string | null;
  readonly byteLength: number;
}

function encodeContent(document: NewDocument): Content {
  const text = typeof document.text === "string" ? encodeText(document.text) : document.text;
  const metadata = encodeMetadata(document.metadata);
  return { text, metadata, byteLength: text.byteLength + Buffer.byteLength(metadata ?? "") };
}

async function insertDocuments(
  db: Database,
  input: AcceptDocuments,
  context: { project: LockedProject; contents: readonly Content[]; firstSeq: number },
): Promise<void> {
  const { projectId } = input;
  const rows = input.documents.map((document, index) => {
    const { text, metadata, byteLength } = context.contents[index]!; // `acceptDocuments` encodes one for each document.
    const ids = { project_id: projectId, version_id: context.project.nextVersionId + index };
    return {
      version: {
        ...ids,
        source_doc_id: document.sourceDocId,
        state: "new" as const,
        complete: 0,
        text_hash: text.hash,
        byte_length: byteLength,
        chunk_count: 0,
        metadata,
      },
      text: { ...ids, encoding: text.encoding, bytes: text.bytes },
    };
  });
  await insertRows(
    db,
    "document_versions",
    rows.map((row) => row.version),
  );
  await insertRows(
    db,
    "version_texts",
    rows.map((row) => row.text),
  );
  const jobs = input.documents.map(({ jobId, sourceDocId }, index) => {
    return { jobId, sourceDocId, versionId: context.project.nextVersionId + index, rereadsVersion: null };
  });
  await insertJobs(db, { ...input, firstSeq: context.firstSeq, jobs });
  await recordDocuments(db, {
    projectId,
    documents: jobs.map(({ sourceDocId }, index) => ({ sourceDocId, seq: context.firstSeq + index })),
    now: input.now,
  });
}

export async function listJobs(
  db: Database,
  input: { projectId: string; status?: JobStatus | null; page: Page },
): Promise<readonly Job[]> {
  const { projectId, status = null, page } = input;
  let all = db.selectFrom("jobs").select("seq").where("project_id", "=", projectId);
  if (status !== null) all = all.where("status", "=", status);
  // In an index alone, so that rows which the offset skips are not read.
  const seqs = all.orderBy("seq", "desc").limit(page.limit).offset(page.offset);
  const rows = await db
    .selectFrom("jobs")
    .select(jobColumns)
    .where("project_id", "=", projectId)
    .where("seq", "in", seqs)
    .orderBy("seq", "desc")
    .execute();
  return rows.map(toJob);
}

export async function findJob(
  db: Database,
  input: { projectId: string; jobId: string },
): Promise<Job | null> {
  const row = await db
    .selectFrom("jobs")
    .select(jobColumns)
    .where("project_id", "=", input.projectId)
    .where("job_id", "=", input.jobId)
    .executeTakeFirst();
  return row === undefined ? null : toJob(row);
}
