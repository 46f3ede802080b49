/** Accepts documents as jobs, and lists jobs. */
import type { Job, JobStatus } from "../../../domain/job.ts";
import type { AcceptFiles } from "../../../ports/file-store.ts";
import type { AcceptDocuments, AcceptOutcome, IngestLimits, Page } from "../../../ports/store.ts";
import type { Database } from "../schema.ts";
import { changeAccount, lockAccount } from "./account-row.ts";
import { countRequest, findRefusal } from "./admission.ts";
import { addedBytes } from "./document-rows.ts";
import { encodeMetadata, encodeText } from "./encoding.ts";
import { bytesOf, insertFiles, insertTexts, type Place } from "./insert-documents.ts";
import { jobColumns, toJob } from "./job-rows.ts";
import { lockProject } from "./project-row.ts";
import { addUsage } from "./usage.ts";

export async function acceptDocuments(db: Database, input: AcceptDocuments): Promise<AcceptOutcome> {
  const documents = input.documents.map(({ text, metadata, ...document }) => {
    const encoded = typeof text === "string" ? encodeText(text) : text;
    return { ...document, text: encoded, metadata: encodeMetadata(metadata) };
  });
  const bytes = documents.reduce((sum, document) => sum + bytesOf(document), 0);
  return accept(db, input, {
    documents,
    bytes,
    insert: (place) => insertTexts(db, { ...place, documents }),
  });
}

/** `isMember` is about all of the files. Default: false. */
export async function acceptFiles(
  db: Database,
  input: AcceptFiles & { readonly isMember?: boolean },
): Promise<AcceptOutcome> {
  const isMember = input.isMember === true;
  const files = input.files.map((file) => ({ ...file, metadata: encodeMetadata(file.metadata), isMember }));
  const bytes = files.reduce((sum, { metadata }) => sum + bytesOf({ metadata, text: null }), 0);
  return accept(db, input, {
    documents: files,
    bytes,
    insert: (place) => insertFiles(db, { ...place, files }),
  });
}

export async function checkRoom(
  db: Database,
  input: IngestLimits & { readonly projectId: string },
): Promise<AcceptOutcome> {
  const project = await lockProject(db, input.projectId);
  if (project === null || project.accountId !== input.accountId) return { kind: "project_gone" };
  const account = await lockAccount(db, input.accountId);
  return (await findRefusal(db, input, { account, jobs: 1, bytes: 0 })) ?? { kind: "accepted" };
}

/** Counts the request and inserts its documents, or refuses it. */
async function accept(
  db: Database,
  input: IngestLimits & { readonly projectId: string },
  demand: {
    readonly documents: readonly { readonly sourceDocId: string }[];
    readonly bytes: number;
    insert(place: Place): Promise<void>;
  },
): Promise<AcceptOutcome> {
  const project = await lockProject(db, input.projectId);
  if (project === null || project.accountId !== input.accountId) return { kind: "project_gone" };
  const account = await lockAccount(db, input.accountId);
  const jobs = demand.documents.length;
  const added = await addedBytes(db, input.projectId, demand.documents);
  const refusal = await findRefusal(db, input, { account, jobs, bytes: demand.bytes + added });
  if (refusal !== null) return refusal;
  const accepted = await countRequest(db, input, account.next_seq);
  await changeAccount(db, input.accountId, { seqs: 1 });
  await demand.insert({ project, firstSeq: account.next_seq + 1, addedBytes: added, now: input.now });
  await addUsage(db, { ...input, tokens: 0, documents: jobs, chunks: 0 });
  return accepted;
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
