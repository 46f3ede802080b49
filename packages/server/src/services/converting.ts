/** Turns the files of jobs into text, a few at a time; the jobs are then ingested like any other. */
import { jobErrorMessages } from "../domain/errors.ts";
import { UnreadableFile } from "../domain/unreadable-file.ts";
import { LeaseLostError } from "../engine/ingest/lease-lost.ts";
import type { FileConverter, UnpackedArchive } from "../ports/file-converter.ts";
import type { ClaimedConversion, ConversionOutcome } from "../ports/file-store.ts";
import type { FileWorkspace } from "../ports/file-workspace.ts";
import type { Log } from "../ports/log.ts";
import type { PageFetcher } from "../ports/page-fetcher.ts";
import type { Store } from "../ports/store.ts";
import { createAccountLanes } from "./account-lanes.ts";
import { receiveMembers } from "./archive-members.ts";
import { textOf } from "./converted-text.ts";
import { type ConvertingLane, createConvertingLanes } from "./converting-lanes.ts";
import { fetchAddress } from "./fetch-address.ts";
import { discardUnused, readPieces } from "./file-pieces.ts";
import { classifyFailure, decideRetry, MAX_ATTEMPTS } from "./job-failures.ts";

export interface ConvertingService {
  /** So many calls of `convertNext` may run at once, each for another account. */
  readonly lanes: number;
  /** Claims a job and turns its file into text. False when there was no job to claim. */
  convertNext(stopping: () => boolean): Promise<boolean>;
  /** So many calls of `fetchNext` may run at once. */
  readonly pageLanes: number;
  /** Claims a job whose page is not there yet, and fetches the page, which is a file then. */
  fetchNext(stopping: () => boolean): Promise<boolean>;
  /** To be called after jobs may have been cancelled or deleted: aborts the work on those that were. */
  checkLeases(): Promise<void>;
}

export interface ConvertingDeps {
  readonly store: Store;
  readonly converter: FileConverter;
  readonly workspace: FileWorkspace;
  readonly pages: PageFetcher;
  readonly maxTextBytes: number;
  readonly maxFileBytes: number;
  /** Of an account; null = no limit. */
  readonly limits: { readonly pendingJobs: number | null; readonly storedBytes: number | null };
  readonly newLeaseToken: () => string;
  readonly leaseMs: number;
  /** Aborts when a file has taken too long for the short lane. Default: after 30 seconds */
  readonly shortLaneLimit?: () => AbortSignal;
  readonly now: () => number;
  /** A text was stored, or jobs for the members of an archive: there is work for others. */
  readonly onStored: () => void;
  /** Aborted when the work must end at once. */
  readonly ending: AbortSignal;
  readonly log: Log;
}

interface Held {
  readonly job: ClaimedConversion;
  readonly leaseToken: string;
  /** Aborted with a LeaseLostError when the job is no longer held, or with the reason of `ending` or of its lane's limit. */
  readonly signal: AbortSignal;
}

type Claim = Omit<Held, "signal"> & Pick<ConvertingLane, "limit">;

const RENEWALS_PER_LEASE = 4;
/** Pages that are fetched at once: one may not come for a minute. The last ones are for accounts that have none. */
const PAGE_LANES = 9;
const RESERVED_PAGE_LANES = 3;
/** While there is no page, all lanes together look so often. */
const NO_PAGE_MS = 1_000;

export function createConvertingService(deps: ConvertingDeps): ConvertingService {
  const { store, log, now } = deps;
  const { whileHeld, checkLeases } = createLeases(deps);
  const { fail, postponeOrFail } = createEnds(deps);
  const lanes = createConvertingLanes(deps.shortLaneLimit);
  const pageLanes = createAccountLanes<ClaimedConversion | null>({
    lanes: PAGE_LANES,
    reserved: RESERVED_PAGE_LANES,
    accountOf: (job) => job?.accountId ?? null,
  });
  let noPageUntil = Number.NEGATIVE_INFINITY;

  async function convertOrFail(held: Held): Promise<void> {
    try {
      if (held.job.isAddress) return await fetchForLater(held);
      const outcome = await convert(held, deps);
      if (outcome === "stored") deps.onStored();
      if (outcome === "too_many_bytes") await fail(held, jobErrorMessages.storageFull);
      if (outcome === "too_many_pending") await fail(held, jobErrorMessages.tooManyMembers);
    } catch (error) {
      if (held.signal.reason instanceof LeaseLostError) return;
      // The file makes way, or the service stops and reads it after the next start.
      if (held.signal.aborted) await fail(held, "", { retryAt: now(), countAttempt: false });
      else await postponeOrFail(held, error);
    }
  }

  /** The job is a file then, the first of its account, and has its turn among those of other accounts. */
  async function fetchForLater(held: Held): Promise<void> {
    if ((await fetchAddress(held, deps)) === null) return;
    await fail(held, "", { retryAt: 0, countAttempt: false });
    deps.onStored();
  }

  async function work({ job, limit }: Omit<ConvertingLane, "leave">, leaseToken: string): Promise<void> {
    const { jobId, projectId, attempts } = job;
    if (attempts < MAX_ATTEMPTS) return whileHeld({ job, leaseToken, limit }, convertOrFail);
    log.error("job_given_up", { jobId, projectId, attempts });
    await fail({ job, leaseToken }, jobErrorMessages.workerDied(attempts, "read this file"));
  }

  function claim(leaseToken: string, only: "pages" | "files", exceptAccounts: readonly string[]) {
    const leaseUntil = now() + deps.leaseMs;
    return store.claimConversion({ leaseToken, now: now(), leaseUntil, exceptAccounts, only });
  }

  async function convertFile(): Promise<boolean> {
    const leaseToken = deps.newLeaseToken();
    const lane = await lanes.take((except) => claim(leaseToken, "files", except));
    if (lane === null) return false;
    await work(lane, leaseToken).finally(() => lane.leave());
    return true;
  }

  async function fetchPage(): Promise<boolean> {
    if (now() < noPageUntil) return false;
    // A claim is a transaction that writes, and most services have no page to fetch.
    const { readyNow } = await store.nextConversion({ now: now(), only: "pages" });
    if (!readyNow) {
      noPageUntil = now() + NO_PAGE_MS;
      return false;
    }
    const leaseToken = deps.newLeaseToken();
    const { claim: job, leave } = await pageLanes.take((except) => claim(leaseToken, "pages", except));
    if (job !== null) await work({ job, limit: new AbortController().signal }, leaseToken).finally(leave);
    return job !== null;
  }

  return {
    lanes: lanes.count,
    pageLanes: PAGE_LANES,
    convertNext: async (stopping) => !stopping() && (await convertFile()),
    fetchNext: async (stopping) => !stopping() && (await fetchPage()),
    checkLeases,
  };
}

/** How jobs end, or begin again, that do not become text. */
function createEnds({ store, now, log }: ConvertingDeps) {
  async function postponeOrFail(held: Held, error: unknown): Promise<void> {
    const { jobId, projectId } = held.job;
    const failure = classifyFailure(error, "the file was read");
    const { pauseMs, countAttempt } = decideRetry(failure, held.job, now());
    const again = pauseMs !== null;
    if (error instanceof UnreadableFile) log.info("file_unreadable", { jobId, projectId });
    else log.warn("job_failed", { jobId, projectId, attempts: held.job.attempts + 1, again, error });
    await fail(held, failure.message, { retryAt: pauseMs === null ? null : now() + pauseMs, countAttempt });
  }

  function fail(
    { job: { projectId, jobId }, leaseToken }: Omit<Held, "signal">,
    errorMessage: string,
    retry: { retryAt: number | null; countAttempt: boolean } = { retryAt: null, countAttempt: true },
  ): Promise<void> {
    return store.failConversion({ projectId, jobId, leaseToken, now: now(), errorMessage, ...retry });
  }

  return { fail, postponeOrFail };
}

/** Renews leases while the work on their jobs goes on, and aborts it when one is lost. */
function createLeases({ store, now, log, leaseMs, ending }: ConvertingDeps) {
  const checks = new Set<() => Promise<void>>();

  async function whileHeld(claim: Claim, work: (held: Held) => Promise<void>): Promise<void> {
    const { leaseToken } = claim;
    const lost = new AbortController();
    const check = async () => {
      try {
        const isHeld = await store.renewConversion({ leaseToken, leaseUntil: now() + leaseMs });
        if (!isHeld) lost.abort(new LeaseLostError());
      } catch (error) {
        log.warn("lease_renewal_failed", { error }); // The next renewal comes before the lease ends.
      }
    };
    checks.add(check);
    const heartbeat = setInterval(() => void check(), leaseMs / RENEWALS_PER_LEASE);
    try {
      await work({ ...claim, signal: AbortSignal.any([lost.signal, ending, claim.limit]) });
    } finally {
      clearInterval(heartbeat);
      checks.delete(check);
    }
  }

  return {
    whileHeld,
    async checkLeases(): Promise<void> {
      await Promise.all([...checks].map((check) => check()));
    },
  };
}

/** The local disk has the file only for as long as this takes. */
function convert(held: Held, deps: ConvertingDeps): Promise<ConversionOutcome> {
  const { store, workspace, maxTextBytes, now } = deps;
  const { job, leaseToken, signal } = held;
  const { projectId, jobId } = job;
  return workspace.withFolder(async (folder) => {
    const path = await workspace.write(folder, "file", piecesOf(held, store));
    const conversion = await deps.converter.convert({
      file: { name: job.name, path },
      folder: await workspace.makeFolder(folder, "work"),
      maxTextBytes,
      signal,
    });
    if (conversion.kind === "archive") return acceptMembers(held, conversion, deps);
    return store.storeConversion({
      ...{ projectId, jobId, leaseToken, now: now() },
      ...textOf(conversion, { metadata: job.metadata, maxTextBytes }),
      maxStoredBytes: deps.limits.storedBytes,
    });
  });
}

async function* piecesOf({ job, signal }: Held, store: Pick<Store, "readFilePiece">) {
  for await (const piece of readPieces(store, job)) {
    signal.throwIfAborted();
    yield piece;
  }
}

async function acceptMembers(
  { job, leaseToken, signal }: Held,
  archive: UnpackedArchive,
  deps: ConvertingDeps,
): Promise<ConversionOutcome> {
  const { store, now, limits } = deps;
  const { projectId, jobId, isMember } = job;
  if (isMember) throw new UnreadableFile("It is an archive in an archive, which is not unpacked.");
  const contentIds: string[] = [];
  try {
    const members = await receiveMembers({ job, archive, signal, contentIds }, deps);
    if (members === null) return "too_many_bytes";
    return await store.acceptMembers({
      ...{ projectId, jobId, leaseToken, now: now(), members },
      ...{ maxPendingJobs: limits.pendingJobs, maxStoredBytes: limits.storedBytes },
    });
  } finally {
    await discardUnused(store, { projectId, contentIds });
  }
}
