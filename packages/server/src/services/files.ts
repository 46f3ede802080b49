/** Receives files as jobs, and returns the original of a document. */
import type { Caller } from "../domain/account.ts";
import { errors } from "../domain/errors.ts";
import type { DocumentFile } from "../domain/file.ts";
import { newId } from "../domain/ids.ts";
import type { AcceptedJob } from "../domain/job.ts";
import type { AccountLimits } from "../domain/limits.ts";
import type { Metadata } from "../domain/metadata.ts";
import type { PageFetcher } from "../ports/page-fetcher.ts";
import type { SitemapReader } from "../ports/sitemap-reader.ts";
import type { Store } from "../ports/store.ts";
import { requireProject } from "./access.ts";
import { type AccountSlots, createAccountSlots } from "./account-slots.ts";
import { fitting } from "./caps.ts";
import { discardUnused, readPieces } from "./file-pieces.ts";
import { createFileSink, type FileSink, type SentFile } from "./file-sink.ts";
import {
  type AcceptOptions,
  acceptedJob,
  monthOf,
  onceOf,
  reportRate,
  requireAccepted,
} from "./ingestion.ts";
import { createOnce, isKeyKnown, replayAnswer } from "./once.ts";
import { pageName, receivePage, sitemapFiles } from "./pages.ts";

/** The files of one request. What is not accepted is removed. */
export interface Upload {
  /** Aborts, with a ServiceError, when the receiving must end because others wait for its place. */
  readonly revoked: AbortSignal;
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
    target: {
      readonly caller: Caller;
      readonly projectId: string;
      /** A request whose key is known is received in any case: it is answered as before. */
      readonly requestKey?: string | undefined;
    },
    receive: (upload: Upload) => Promise<Result>,
    onRate?: AcceptOptions<never>["onRate"],
  ): Promise<Result>;
  /**
   * Fetches a page and accepts it as a file, or each page that a sitemap names, to be fetched later. `read` is called only after access is granted. Each fetch counts for the rate limit.
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

const madeWay = (what: string) =>
  errors.unavailable(`Too many ${what} run at once, and this one made way. Try again shortly.`, {
    retryAfterSeconds: 5,
  });
/** An upload has some megabytes of memory, and a download one. Its sender may be slow: it makes way for those of accounts with fewer. */
const UPLOADS = { what: "uploads", perAccount: 4, total: 32, kept: 8 } as const;
/** A fetch waits for another server, which may never answer: it makes way for those of accounts with fewer, after ten seconds also for that of an account with none. */
const FETCHES = { what: "fetches of pages", perAccount: 4, total: 16, kept: 4, graceMs: 10_000 } as const;
const DOWNLOADS = { what: "downloads", perAccount: 8, total: 64, kept: 16 } as const;

interface FileServiceDeps {
  readonly store: Store;
  readonly limits: AccountLimits;
  readonly pages: PageFetcher;
  readonly sitemaps: SitemapReader;
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
  const fetches = createAccountSlots(FETCHES);
  const downloads = createAccountSlots(DOWNLOADS);

  /**
   * @param isCounted whether `receive` counts the request itself, whatever comes of it
   * @param slots of which the request takes one
   */
  async function receiveUpload<Result>(
    { caller, projectId, requestKey }: Parameters<FileService["upload"]>[0],
    receive: (upload: Upload) => Promise<Result>,
    options: {
      readonly onRate: Parameters<FileService["upload"]>[2];
      readonly isCounted: boolean;
      readonly slots: AccountSlots;
      readonly what: string;
    },
  ): Promise<Result> {
    const { onRate, isCounted, slots, what } = options;
    await requireProject(store, { projectId, caller });
    const { accountId } = caller;
    const isRepeated = await isKeyKnown(store, requestKey, { accountId, now: deps.now() });
    if (!isRepeated) {
      const outcome = await store.checkRoom({ ...limitsOf(deps), projectId, accountId });
      reportRate(outcome, requestsPerMinute, onRate);
      requireAccepted(outcome, projectId);
    }
    const revocation = new AbortController();
    const leave = slots.take(accountId, () => revocation.abort(madeWay(what)));
    const ids = { projectId, accountId };
    const upload = isRepeated ? createRepeatedUpload(ids, deps) : createUpload(ids, deps);
    try {
      return await receive({ ...upload, revoked: revocation.signal });
    } catch (error) {
      // What was stored for nothing counts, too. A repetition was counted the first time.
      if (!isRepeated && !isCounted) await countFetch(ids, deps, undefined).catch(() => undefined);
      throw error;
    } finally {
      await upload.discard();
      leave();
    }
  }

  return {
    upload: (target, receive, onRate) =>
      receiveUpload(target, receive, { onRate, isCounted: false, slots: uploads, what: UPLOADS.what }),

    async fetchPage(target, read, options = {}) {
      await requireProject(store, target);
      const { accountId } = target.caller;
      await replayAnswer(store, options.once, { accountId, now: deps.now() });
      const { url, sourceDocId, metadata } = read();
      const fault = deps.pages.addressFault(url);
      if (fault !== null) throw errors.invalidInput(`url: ${fault}`);
      const receive = async (upload: Upload) => {
        await countFetch({ projectId: target.projectId, accountId }, deps, options.onRate);
        const found = await receivePage(url, () => upload.addFile(), {
          ...{ ...deps, accountId },
          signal: upload.revoked,
        });
        const page = { sourceDocId, name: pageName(url), metadata };
        const files =
          "addresses" in found
            ? await sitemapFiles(found, page, () => upload.addFile())
            : [{ ...page, content: found, sourceDocId: sourceDocId ?? url }];
        return upload.accept(files, { ...options, isCounted: false });
      };
      const { onRate } = options;
      return receiveUpload(target, receive, { onRate, isCounted: true, slots: fetches, what: FETCHES.what });
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

/** Of a request whose key is known: its bytes are only compared with those of the first one, and none are stored. */
function createRepeatedUpload(
  ids: { readonly projectId: string; readonly accountId: string },
  { store, maxFileBytes, now }: FileServiceDeps,
): Omit<Upload, "revoked"> & { discard(): Promise<void> } {
  const nowhere = { appendFilePiece: async () => "appended" as const };
  return {
    addFile: () =>
      createFileSink(
        { ...ids, contentId: newId("fil") },
        { store: nowhere, storedBytes: null, maxFileBytes, now },
      ),
    async accept(_files, { once } = {}) {
      await replayAnswer(store, once, { accountId: ids.accountId, now: now() });
      // The answer was forgotten meanwhile: a key is known for a day.
      throw errors.unavailable("The Idempotency-Key has just expired. Send the request again.", {
        retryAfterSeconds: 1,
      });
    },
    discard: async () => undefined,
  };
}

function createUpload(
  ids: { readonly projectId: string; readonly accountId: string },
  deps: FileServiceDeps,
): Omit<Upload, "revoked"> & { discard(): Promise<void> } {
  const { store } = deps;
  const { storedBytes } = deps.limits;
  const { projectId, accountId } = ids;
  const contentIds: string[] = [];
  return {
    addFile() {
      const contentId = newId("fil");
      contentIds.push(contentId);
      return createFileSink({ ...ids, contentId }, { ...deps, storedBytes });
    },

    async accept(files, options = {}) {
      const { isCounted = true, once, onRate } = options;
      const limits = limitsOf(isCounted ? deps : { ...deps, requestsPerMinute: null });
      const { now } = limits;
      const accepted = fitting(files).map(({ content, ...file }) => ({
        ...content,
        ...file,
        jobId: newId("job"),
      }));
      const jobs = accepted.map(({ jobId, sourceDocId }) => acceptedJob({ jobId, sourceDocId, now }));
      const outcome = await createOnce<"acceptFiles">(
        store,
        { name: "acceptFiles", input: { ...limits, ...ids, files: accepted } },
        onceOf(once, { accountId, now, made: jobs }),
      );
      reportRate(outcome, limits.requestsPerMinute, onRate);
      requireAccepted(outcome, projectId);
      deps.onAccepted();
      return jobs;
    },

    discard: () => discardUnused(store, { projectId, contentIds }),
  };
}
