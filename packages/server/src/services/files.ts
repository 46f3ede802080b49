/** Receives files as jobs, and returns the original of a document. */
import { createHash } from "node:crypto";
import type { Caller } from "../domain/account.ts";
import { errors } from "../domain/errors.ts";
import { type DocumentFile, FILE_PIECE_BYTES } from "../domain/file.ts";
import { newId } from "../domain/ids.ts";
import type { AcceptedJob } from "../domain/job.ts";
import type { AccountLimits } from "../domain/limits.ts";
import type { Metadata } from "../domain/metadata.ts";
import type { ReceivedContent } from "../ports/file-store.ts";
import { type PageFetcher, PageUnreachable } from "../ports/page-fetcher.ts";
import type { Store } from "../ports/store.ts";
import { requireProject } from "./access.ts";
import { createAccountSlots } from "./account-slots.ts";
import { storageFull } from "./caps.ts";
import { readPieces } from "./file-pieces.ts";
import {
  type AcceptOptions,
  acceptedJob,
  monthOf,
  onceOf,
  reportRate,
  requireAccepted,
} from "./ingestion.ts";
import { createOnce } from "./once.ts";

export interface SentFile {
  readonly content: ReceivedContent;
  readonly sourceDocId: string;
  /** Without folders. */
  readonly name: string;
  /** `{}` = none. */
  readonly metadata: Metadata;
}

/** One file that is being received. */
export interface FileSink {
  /** Resolves when there is room for more. The bytes are in a buffer that changes no more. */
  write(bytes: Uint8Array): Promise<void>;
  end(): Promise<ReceivedContent>;
}

/** The files of one request. What is not accepted is removed. */
export interface Upload {
  /** @throws ServiceError `too_large`, or `too_many_requests` where the account's storage is full */
  addFile(): FileSink;
  /** Accepts all files as pending jobs, or none. */
  accept(
    files: readonly SentFile[],
    /** Counts as an ingest request, unless `isCounted` is false. */
    options?: AcceptOptions<readonly AcceptedJob[]> & { readonly isCounted?: boolean },
  ): Promise<readonly AcceptedJob[]>;
}

export interface StoredFile extends DocumentFile {
  /** In pieces. Ends early, with an error, when the document is deleted meanwhile. */
  read(): AsyncGenerator<Uint8Array>;
  /** Must be called when the file has been read or is not wanted any more; more than one call is harmless. */
  readonly end: () => void;
  /** Aborts when the reading must end because others wait for its place. */
  readonly revoked: AbortSignal;
}

export interface NewPage {
  readonly url: string;
  /** null = the URL. */
  readonly sourceDocId: string | null;
  readonly metadata: Metadata;
}

export interface FileService {
  /**
   * Runs `receive` when the account may have files ingested. One call is one request for the rate limit.
   * @throws ServiceError before anything is received where the request would be refused now
   */
  upload<Result>(
    target: { readonly caller: Caller; readonly projectId: string },
    receive: (upload: Upload) => Promise<Result>,
    onRate?: AcceptOptions<never>["onRate"],
  ): Promise<Result>;
  /**
   * Fetches a page and accepts it as a file. `read` is called only after access is granted. Each fetch counts for the rate limit.
   * @throws ServiceError `invalid_input` also where the page cannot be fetched
   */
  fetchPage(
    target: { readonly caller: Caller; readonly projectId: string },
    read: () => NewPage,
    options?: AcceptOptions<readonly AcceptedJob[]>,
  ): Promise<readonly AcceptedJob[]>;
  /** @throws ServiceError `not_found`, also where the document has no file */
  open(caller: Caller, projectId: string, sourceDocId: string): Promise<StoredFile>;
}

/** An upload has some megabytes of memory, and a download one. */
const UPLOADS = { what: "uploads", perAccount: 4, total: 32 } as const;
const DOWNLOADS = { what: "downloads", perAccount: 8, total: 64 } as const;

interface FileServiceDeps {
  readonly store: Store;
  readonly limits: AccountLimits;
  readonly pages: PageFetcher;
  readonly maxFileBytes: number;
  readonly requestsPerMinute: number | null;
  readonly tokenLimit: number | null;
  readonly now: () => number;
  /** Called after jobs were accepted; wakes the worker. */
  readonly onAccepted: () => void;
}

export function createFileService(deps: FileServiceDeps): FileService {
  const { store, requestsPerMinute } = deps;
  const uploads = createAccountSlots(UPLOADS);
  const downloads = createAccountSlots(DOWNLOADS);
  const service: FileService = {
    async upload({ caller, projectId }, receive, onRate) {
      await requireProject(store, { projectId, caller });
      const { accountId } = caller;
      const outcome = await store.checkRoom({ ...limitsOf(deps), projectId, accountId });
      reportRate(outcome, requestsPerMinute, onRate);
      requireAccepted(outcome, projectId);
      const leave = uploads.take(accountId);
      const upload = createUpload({ projectId, accountId }, deps);
      try {
        return await receive(upload);
      } finally {
        leave();
        await upload.discard();
      }
    },

    async fetchPage(target, read, options = {}) {
      await requireProject(store, target);
      const { url, sourceDocId, metadata } = read();
      const fault = deps.pages.addressFault(url);
      if (fault !== null) throw errors.invalidInput(`url: ${fault}`);
      const receive = async (upload: Upload) => {
        await countFetch(
          { projectId: target.projectId, accountId: target.caller.accountId },
          deps,
          options.onRate,
        );
        const content = await receivePage(url, upload.addFile(), deps.pages);
        const file = { content, sourceDocId: sourceDocId ?? url, name: pageName(url), metadata };
        return upload.accept([file], { ...options, isCounted: false });
      };
      return service.upload(target, receive, options.onRate);
    },

    async open(caller, projectId, sourceDocId) {
      await requireProject(store, { projectId, caller });
      const key = { projectId, sourceDocId };
      const file = sourceDocId.includes("\0") ? null : await store.findFile(key);
      if (file === null) {
        const isKnown = !sourceDocId.includes("\0") && (await isDocument(store, key));
        throw isKnown ? errors.documentWithoutFile() : errors.documentNotFound();
      }
      const revocation = new AbortController();
      const end = downloads.take(caller.accountId, () => revocation.abort());
      const read = () => readPieces(store, { projectId, ...file });
      return { ...file, read, end, revoked: revocation.signal };
    },
  };
  return service;
}

/**
 * Before the fetch: failed ones are requests to other servers, too.
 * @throws ServiceError where the account may not ingest now
 */
async function countFetch(
  ids: { readonly projectId: string; readonly accountId: string },
  deps: FileServiceDeps,
  onRate: AcceptOptions<never>["onRate"],
): Promise<void> {
  if (deps.requestsPerMinute === null) return;
  const outcome = await deps.store.acceptFiles({ ...limitsOf(deps), ...ids, files: [] });
  reportRate(outcome, deps.requestsPerMinute, onRate);
  requireAccepted(outcome, ids.projectId);
}

async function receivePage(url: string, sink: FileSink, pages: PageFetcher): Promise<ReceivedContent> {
  try {
    const { body } = await pages.fetch(url);
    for await (const bytes of body) await sink.write(bytes);
    return await sink.end();
  } catch (error) {
    throw error instanceof PageUnreachable ? errors.invalidInput(`url: ${error.message}`) : error;
  }
}

/** The last part of the path, or the host. */
function pageName(url: string): string {
  const { pathname, hostname } = new URL(url);
  const [last = ""] = pathname.split("/").slice(-1);
  return last === "" ? hostname : last.slice(0, 255);
}

async function isDocument(store: Store, key: { projectId: string; sourceDocId: string }): Promise<boolean> {
  const { projectId, sourceDocId } = key;
  const found = await store.readDocuments({ projectId, sourceDocIds: [sourceDocId], withMetadata: false });
  return found.length > 0;
}

function limitsOf({ limits, now, tokenLimit, requestsPerMinute }: FileServiceDeps) {
  const at = now();
  return {
    now: at,
    month: monthOf(at),
    tokenLimit,
    requestsPerMinute,
    maxPendingJobs: limits.pendingJobs,
    maxStoredBytes: limits.storedBytes,
  };
}

function createUpload(
  ids: { readonly projectId: string; readonly accountId: string },
  deps: FileServiceDeps,
): Upload & { discard(): Promise<void> } {
  const { store } = deps;
  const { projectId, accountId } = ids;
  const contentIds: string[] = [];
  return {
    addFile() {
      const contentId = newId("fil");
      contentIds.push(contentId);
      return createSink({ ...ids, contentId }, deps);
    },

    async accept(files, options = {}) {
      const { isCounted = true, once, onRate } = options;
      const limits = limitsOf(isCounted ? deps : { ...deps, requestsPerMinute: null });
      const { now } = limits;
      const accepted = files.map(({ content, ...file }) => ({ ...content, ...file, jobId: newId("job") }));
      const jobs = accepted.map(({ jobId, sourceDocId }) => acceptedJob({ jobId, sourceDocId, now }));
      const outcome = await createOnce<"acceptFiles">(
        store,
        { name: "acceptFiles", input: { ...limits, ...ids, files: accepted } },
        onceOf(once, { accountId, now, made: jobs }),
      );
      reportRate(outcome, limits.requestsPerMinute, onRate);
      requireAccepted(outcome, projectId);
      contentIds.length = 0;
      deps.onAccepted();
      return jobs;
    },

    async discard() {
      if (contentIds.length > 0) await store.discardContents({ projectId, contentIds });
    },
  };
}

/** Many small files may arrive at once, so a piece grows with what it has. */
function withRoom(piece: Uint8Array<ArrayBuffer>, bytes: number): Uint8Array<ArrayBuffer> {
  if (bytes <= piece.length) return piece;
  const larger = new Uint8Array(Math.min(FILE_PIECE_BYTES, 2 * bytes));
  larger.set(piece);
  return larger;
}

/** Gathers pieces of their full length, and stores each before it takes more. */
function createSink(
  ids: { readonly projectId: string; readonly accountId: string; readonly contentId: string },
  { store, limits, maxFileBytes, now }: FileServiceDeps,
): FileSink {
  const hash = createHash("sha256");
  let [piece, used, position, byteLength] = [new Uint8Array(0), 0, 0, 0];

  async function flush(): Promise<void> {
    const bytes = used === piece.length ? piece : piece.slice(0, used);
    used = 0;
    const input = { ...ids, position: position++, bytes, maxStoredBytes: limits.storedBytes, now: now() };
    const outcome = await store.appendFilePiece(input);
    if (outcome === "project_gone") throw errors.projectNotFound(ids.projectId);
    if (outcome === "too_many_bytes") throw storageFull();
  }

  return {
    async write(bytes) {
      byteLength += bytes.length;
      if (byteLength > maxFileBytes)
        throw errors.tooLarge(
          `files: a file has more than ${maxFileBytes} bytes, the most that KCS_MAX_FILE_BYTES allows`,
        );
      hash.update(bytes);
      for (let start = 0; start < bytes.length; ) {
        const part = bytes.subarray(start, start + FILE_PIECE_BYTES - used);
        piece = withRoom(piece, used + part.length);
        piece.set(part, used);
        used += part.length;
        start += part.length;
        if (used === FILE_PIECE_BYTES) await flush();
      }
    },

    async end() {
      if (used > 0 || position === 0) await flush();
      return { contentId: ids.contentId, sha256: hash.digest("hex"), byteLength };
    },
  };
}
