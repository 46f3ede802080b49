/** Accepts documents as jobs, and lists jobs. */
import type { Job } from "../../../domain/job.ts";
import type {
  AcceptDocuments,
  AcceptOutcome,
  EncodedText,
  NewDocument,
  Page,
  RateLeft,
} from "../../../ports/store.ts";
import type { AccountStateRow, Database, JobRow, QueueState } from "../schema.ts";
import { changeAccount, lockAccount } from "./account-row.ts";
import { insertRows, partsOf } from "./bulk.ts";
import { recordDocuments } from "./document-rows.ts";
import { encodeMetadata, encodeText } from "./encoding.ts";
import { isUnfinished, toJob } from "./job-rows.ts";
import { changeProject, type LockedProject, lockProject } from "./project-row.ts";
import { readTokens } from "./token-meter.ts";
import { addUsage } from "./usage.ts";

const rateWindowMs = 60_000;
/** Parameters in one `in (…)` list. */
const maxListed = 500;

export async function acceptDocuments(db: Database, input: AcceptDocuments): Promise<AcceptOutcome> {
  const project = await lockProject(db, input.projectId);
  if (project === null || project.accountId !== input.accountId) return { kind: "project_gone" };
  const account = await lockAccount(db, input.accountId);
  const contents = input.documents.map(encodeContent);
  const bytes = contents.reduce((sum, content) => sum + content.byteLength, 0);
  const refusal = await findRefusal(db, input, { account, bytes });
  if (refusal !== null) return refusal;

  const recordsRate = input.requestsPerMinute !== null;
  if (recordsRate) {
    await db
      .insertInto("rate_requests")
      .values({ account_id: input.accountId, seq: account.next_seq, requested_at: input.now })
      .execute();
  }
  await insertDocuments(db, input, { project, contents, firstSeq: account.next_seq + 1 });
  await changeProject(db, input.projectId, { versions: input.documents.length, index: false });
  await changeAccount(db, input.accountId, {
    seqs: input.documents.length + 1,
    pendingJobs: input.documents.length,
    storedBytes: bytes,
  });
  await addUsage(db, { ...input, tokens: 0, documents: input.documents.length, chunks: 0 });
  return input.requestsPerMinute === null
    ? { kind: "accepted" }
    : { kind: "accepted", rate: await readRateLeft(db, input, input.requestsPerMinute) };
}

/** Called after this request was counted. */
async function readRateLeft(db: Database, input: AcceptDocuments, limit: number): Promise<RateLeft> {
  const { count, oldest } = await db
    .selectFrom("rate_requests")
    .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.min("requested_at").as("oldest")])
    .where("account_id", "=", input.accountId)
    .executeTakeFirstOrThrow();
  return { requests: Math.max(0, limit - count), resetMs: (oldest ?? input.now) + rateWindowMs - input.now };
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

async function findRefusal(
  db: Database,
  input: AcceptDocuments,
  state: { account: AccountStateRow; bytes: number },
): Promise<AcceptOutcome | null> {
  const { account } = state;
  const retryAfterMs = await findRateWait(db, input);
  if (retryAfterMs !== null) return { kind: "rate_limited", retryAfterMs };
  if (input.tokenLimit !== null && (await readTokens(db, input)) >= input.tokenLimit) {
    return { kind: "token_limit" };
  }
  const { maxPendingJobs, maxStoredBytes } = input;
  if (maxPendingJobs !== null && account.pending_jobs + input.documents.length > maxPendingJobs) {
    return { kind: "too_many_pending" };
  }
  if (maxStoredBytes !== null && account.stored_bytes + state.bytes > maxStoredBytes) {
    return { kind: "too_many_bytes" };
  }
  return null;
}

/**
 * Milliseconds until the account may ingest again; null when it may now. With a limit of n, the n-th newest request decides:
 * once it is a minute old, fewer than n count. A request with a time in the future (the clock was set back) counts as made now,
 * so that no wait is longer than a minute.
 */
async function findRateWait(db: Database, input: AcceptDocuments): Promise<number | null> {
  if (input.requestsPerMinute === null) return null;
  if (input.requestsPerMinute <= 0) return rateWindowMs;
  await db
    .deleteFrom("rate_requests")
    .where("account_id", "=", input.accountId)
    .where("requested_at", "<=", input.now - rateWindowMs)
    .execute();
  await db
    .updateTable("rate_requests")
    .set({ requested_at: input.now })
    .where("account_id", "=", input.accountId)
    .where("requested_at", ">", input.now)
    .execute();
  const deciding = await db
    .selectFrom("rate_requests")
    .select("requested_at")
    .where("account_id", "=", input.accountId)
    .orderBy("requested_at", "desc")
    .orderBy("seq", "desc")
    .limit(1)
    .offset(input.requestsPerMinute - 1)
    .executeTakeFirst();
  return deciding === undefined ? null : deciding.requested_at + rateWindowMs - input.now;
}

async function insertDocuments(
  db: Database,
  input: AcceptDocuments,
  context: { project: LockedProject; contents: readonly Content[]; firstSeq: number },
): Promise<void> {
  const busy = await findBusyDocuments(db, input.projectId, input.documents);
  const rows = input.documents.map((document, index) => {
    const { text, metadata, byteLength } = context.contents[index]!; // `acceptDocuments` encodes one for each document.
    const queueState: QueueState = busy.has(document.sourceDocId) ? "blocked" : "ready";
    busy.add(document.sourceDocId);
    const ids = { project_id: input.projectId, version_id: context.project.nextVersionId + index };
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
      job: { ...newJob(input, document), ...ids, seq: context.firstSeq + index, queue_state: queueState },
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
  await insertRows(
    db,
    "jobs",
    rows.map((row) => row.job),
  );
  await recordDocuments(db, {
    projectId: input.projectId,
    documents: rows.map(({ job }) => ({ sourceDocId: job.source_doc_id, seq: job.seq })),
    now: input.now,
  });
}

/** Documents with an unfinished job, for which a new job must wait. */
async function findBusyDocuments(
  db: Database,
  projectId: string,
  documents: readonly NewDocument[],
): Promise<Set<string>> {
  const busy = new Set<string>();
  const ids = [...new Set(documents.map((document) => document.sourceDocId))];
  for (const part of partsOf(ids, maxListed)) {
    const rows = await db
      .selectFrom("jobs")
      .select("source_doc_id")
      .where("project_id", "=", projectId)
      .where("source_doc_id", "in", part)
      .where(isUnfinished)
      .execute();
    for (const row of rows) busy.add(row.source_doc_id);
  }
  return busy;
}

function newJob(
  input: AcceptDocuments,
  document: NewDocument,
): Omit<JobRow, "project_id" | "seq" | "version_id" | "queue_state"> {
  return {
    job_id: document.jobId,
    account_id: input.accountId,
    source_doc_id: document.sourceDocId,
    status: "pending",
    ready_at: null,
    lease_token: null,
    attempts: 0,
    chunks_processed: 0,
    chunks_total: null,
    nodes_created: 0,
    edges_created: 0,
    created_at: input.now,
    started_at: null,
    completed_at: null,
    error_message: null,
    ended_place: null,
  };
}

export async function listJobs(
  db: Database,
  input: { projectId: string; page: Page },
): Promise<readonly Job[]> {
  const rows = await db
    .selectFrom("jobs")
    .selectAll()
    .where("project_id", "=", input.projectId)
    .orderBy("seq", "desc")
    .limit(input.page.limit)
    .offset(input.page.offset)
    .execute();
  return rows.map(toJob);
}

export async function findJob(
  db: Database,
  input: { projectId: string; jobId: string },
): Promise<Job | null> {
  const row = await db
    .selectFrom("jobs")
    .selectAll()
    .where("project_id", "=", input.projectId)
    .where("job_id", "=", input.jobId)
    .executeTakeFirst();
  return row === undefined ? null : toJob(row);
}
