/** What the behaviours of files are told with. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { Metadata } from "../../../src/domain/metadata.ts";
import type { Project } from "../../../src/domain/project.ts";
import type { AcceptFiles, ClaimedConversion, NewFile } from "../../../src/ports/file-store.ts";
import type { Store } from "../../../src/ports/store.ts";
import { listDocuments } from "../../../src/services/document-list.ts";
import { leaseMs, month, rowBytes, type Scenario } from "../scenario.ts";

export const encode = (text: string) => new TextEncoder().encode(text);

/** Stores the pieces as a content that no document has yet. */
export async function receive(
  { store, id }: Scenario,
  { projectId, accountId }: Project,
  options: { readonly pieces: SentFile[1]; readonly now?: number },
): Promise<Pick<NewFile, "contentId" | "sha256" | "byteLength">> {
  const contentId = id("content");
  const hash = createHash("sha256");
  const pieces = options.pieces.map((piece) => (typeof piece === "string" ? encode(piece) : piece));
  for (const [position, bytes] of pieces.entries()) {
    hash.update(bytes);
    const now = options.now ?? 1_000;
    const piece = { projectId, accountId, contentId, position, bytes, maxStoredBytes: null, now };
    assert.equal(await store.appendFilePiece(piece), "appended");
  }
  const byteLength = pieces.reduce((sum, { length }) => sum + length, 0);
  return { contentId, sha256: hash.digest("hex"), byteLength };
}

export type SentFile = readonly [
  sourceDocId: string,
  pieces: readonly (string | Uint8Array)[],
  metadata?: Metadata,
];

/** One job for each file, with an id of its own. */
export async function sendFiles(
  scenario: Scenario,
  project: Project,
  files: readonly SentFile[],
  { isAddress = false, ...options }: Partial<AcceptFiles> & { readonly isAddress?: boolean } = {},
): Promise<readonly string[]> {
  const sent: AcceptFiles["files"][number][] = [];
  for (const [sourceDocId, pieces, metadata = {}] of files) {
    const content = await receive(scenario, project, { pieces });
    const named = { sourceDocId, name: `${sourceDocId}.txt`, metadata, isAddress };
    sent.push({ ...content, ...named, jobId: scenario.id("job") });
  }
  const outcome = await scenario.store.acceptFiles({
    projectId: project.projectId,
    accountId: project.accountId,
    now: 1_000,
    files: sent,
    requestsPerMinute: null,
    tokenLimit: null,
    month,
    maxPendingJobs: null,
    maxStoredBytes: null,
    ...options,
  });
  assert.equal(outcome.kind, "accepted");
  return sent.map(({ jobId }) => jobId);
}

export interface HeldConversion {
  readonly leaseToken: string;
  readonly job: ClaimedConversion;
}

export async function claimFile({ store, id }: Scenario, now = 2_000): Promise<HeldConversion> {
  const leaseToken = id("lease");
  const job = await store.claimConversion({ leaseToken, now, leaseUntil: now + leaseMs });
  assert.ok(job, "There is no job whose file could be turned into text.");
  return { leaseToken, job };
}

/** Stores the pieces of the file themselves as its text. */
export async function convert(
  scenario: Scenario,
  held: HeldConversion,
  pages: readonly { readonly page: number; readonly start: number }[] = [],
) {
  const { store } = scenario;
  const { job, leaseToken } = held;
  return store.storeConversion({
    projectId: job.projectId,
    jobId: job.jobId,
    leaseToken,
    now: 2_500,
    text: await readFile(store, job.projectId, job.contentId),
    mediaType: "text/plain",
    metadata: job.metadata,
    pages,
    maxStoredBytes: null,
  });
}

/** For good. */
export function failFile({ store }: Scenario, { job, leaseToken }: HeldConversion): Promise<void> {
  const { projectId, jobId } = job;
  const held = { projectId, jobId, leaseToken, now: 3_000 };
  return store.failConversion({
    ...held,
    errorMessage: "The file is broken.",
    retryAt: null,
    countAttempt: true,
  });
}

export async function readFile(store: Store, projectId: string, contentId: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  for (;;) {
    const piece = await store.readFilePiece({ projectId, contentId, position: pieces.length });
    if (piece === null) return Buffer.concat(pieces).toString();
    pieces.push(piece);
  }
}

/** Of an account with one project, without what the documents count that it lists. */
export async function storedBytes({ store }: Scenario, { accountId, projectId }: Project): Promise<number> {
  const page = { search: null, limit: 100, offset: 0 };
  const { documents } = await listDocuments(store, projectId, page);
  const use = await store.readAccountUse({ accountId, month });
  return use.storedBytes - rowBytes(...documents.map(({ sourceDocId }) => sourceDocId));
}

/** Takes all steps of upkeep. */
export async function upkeep({ store }: Scenario, now: number): Promise<void> {
  for (let rounds = 0; await store.reclaim({ now, maxPages: 0 }); rounds++) assert.ok(rounds < 500);
}
