/** A small client of the HTTP API for evaluations and benchmarks. */
export interface Api {
  /** Sends the body as JSON, but a form as a form. @throws ApiError for a status of 400 or above */
  request<T>(method: string, path: string, body?: unknown): Promise<T>;
}

export class ApiError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "ApiError";
    this.status = status;
  }
}

export interface JobView {
  readonly job_id: string;
  readonly source_doc_id: string;
  readonly status: "pending" | "running" | "completed" | "failed";
  readonly chunks_processed: number;
  readonly completed_at: string | null;
  readonly error_message: string | null;
}

export interface QueryView {
  readonly strategy_used: string;
  readonly results: {
    readonly summary: string;
    readonly chunks: readonly {
      readonly text: string;
      readonly similarity: number;
      readonly source_doc_id?: string;
      readonly start?: number;
      readonly end?: number;
    }[];
  };
}

export function createApi(baseUrl: string, key: string): Api {
  return {
    async request<T>(method: string, path: string, body?: unknown): Promise<T> {
      const isForm = body instanceof FormData;
      const response = await fetch(`${baseUrl}/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(isForm ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.status >= 400)
        throw new ApiError(response.status, `${method} ${path}: ${response.status} ${text}`);
      return (text === "" ? null : JSON.parse(text)) as T; // The contract's tests check the shapes.
    },
  };
}

export interface NewDocument {
  readonly text: string;
  readonly source_doc_id: string;
}

const BATCH = 1000;
const BATCH_CHARACTERS = 8_000_000;
const POLL_MS = 500;

/**
 * Ingests all documents in as few batches as possible and waits until every job has ended. Retries after the rate limit;
 * polls the jobs every `pollMs`.
 */
export async function ingestAll(
  api: Api,
  projectId: string,
  documents: readonly NewDocument[],
  { pollMs = POLL_MS }: { readonly pollMs?: number } = {},
): Promise<JobView[]> {
  const waiting = new Set<string>();
  for (const batch of batchesOf(documents)) {
    const { jobs } = await retryRateLimited(() =>
      api.request<{ jobs: JobView[] }>("POST", `/projects/${projectId}/ingest/batch`, { documents: batch }),
    );
    for (const job of jobs) waiting.add(job.job_id);
  }
  return waitForJobs(api, { projectId, waiting, pollMs });
}

function* batchesOf(documents: readonly NewDocument[]): Generator<NewDocument[]> {
  let batch: NewDocument[] = [];
  let size = 0;
  for (const document of documents) {
    if (batch.length === BATCH || (batch.length > 0 && size + document.text.length > BATCH_CHARACTERS)) {
      yield batch;
      batch = [];
      size = 0;
    }
    batch.push(document);
    size += document.text.length;
  }
  if (batch.length > 0) yield batch;
}

/** Repeats a call until the rate limit allows it. */
export async function retryRateLimited<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429) throw error;
      await new Promise((resolve) => setTimeout(resolve, 2_000));
    }
  }
}

/** Waits until all these jobs have ended; takes their ids out of `waiting`. */
export async function waitForJobs(
  api: Api,
  { projectId, waiting, pollMs = POLL_MS }: { projectId: string; waiting: Set<string>; pollMs?: number },
): Promise<JobView[]> {
  const ended: JobView[] = [];
  while (waiting.size > 0) {
    // The newest come first, so the pages behind the last one that is waited for need not be read.
    let unseen = waiting.size;
    for (let offset = 0; unseen > 0; offset += BATCH) {
      const { jobs } = await api.request<{ jobs: JobView[] }>(
        "GET",
        `/projects/${projectId}/jobs?limit=${BATCH}&offset=${offset}`,
      );
      for (const job of jobs) {
        if (waiting.has(job.job_id)) unseen--;
        const hasEnded = job.status === "completed" || job.status === "failed";
        if (hasEnded && waiting.delete(job.job_id)) ended.push(job);
      }
      if (jobs.length < BATCH) break;
    }
    if (waiting.size > 0) await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  return ended;
}
