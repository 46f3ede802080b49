/** Retries several failed jobs in one request. */
import type { Caller } from "../domain/account.ts";
import { ServiceError } from "../domain/errors.ts";
import type { AcceptedJob } from "../domain/job.ts";
import type { Log } from "../ports/log.ts";
import { StoreUnavailableError } from "../ports/store.ts";
import type { AcceptOptions, IngestionService } from "./ingestion.ts";

/** After so long a request leaves the other failed jobs to the next one: each is a transaction with the text of its document. */
const RETRY_MS = 10_000;

export interface RetryDeps {
  readonly ingestion: Pick<IngestionService, "retry">;
  readonly now: () => number;
  readonly log: Pick<Log, "warn">;
}

/**
 * In the order given, until a limit of the account is reached, the database fails or the time is over. `gone`: how many were
 * retried or deleted by another request meanwhile, or have no text any more.
 * @throws ServiceError of a limit that is reached before the first one is accepted, unless the request has done something (`isCounted`)
 */
export async function retryEach(
  { ingestion, now, log }: RetryDeps,
  caller: Caller,
  request: {
    readonly projectId: string;
    readonly jobIds: readonly string[];
    /** Whether the request counts towards the rate already. */
    readonly isCounted: boolean;
    readonly onRate: AcceptOptions<AcceptedJob>["onRate"];
  },
): Promise<{ readonly accepted: readonly AcceptedJob[]; readonly gone: number }> {
  const { projectId, onRate } = request;
  const accepted: AcceptedJob[] = [];
  const until = now() + RETRY_MS;
  let gone = 0;
  for (const jobId of request.jobIds) {
    const isFirst = !request.isCounted && accepted.length === 0;
    if (!isFirst && now() >= until) break;
    const options = { isCounted: isFirst, ...(isFirst && onRate !== undefined ? { onRate } : {}) };
    try {
      accepted.push(await ingestion.retry(caller, { projectId, jobId }, options));
    } catch (error) {
      if (isGone(error)) gone++;
      else if (isFirst || !isTold(error)) throw error;
      else {
        if (error instanceof StoreUnavailableError) log.warn("retry_ended", { projectId, error });
        break;
      }
    }
  }
  return { accepted, gone };
}

/** Also a database that fails: what was accepted until then stays so. */
function isTold(error: unknown): boolean {
  return error instanceof ServiceError || error instanceof StoreUnavailableError;
}

/** The job was retried or deleted by another request meanwhile. */
function isGone(error: unknown): boolean {
  return error instanceof ServiceError && (error.kind === "conflict" || error.kind === "not_found");
}
