import { KcsError } from "./errors.ts";
import { accountResource } from "./resources/account.ts";
import { correctionsResource } from "./resources/corrections.ts";
import { documentsResource } from "./resources/documents.ts";
import { feedbackResource } from "./resources/feedback.ts";
import { filesResource } from "./resources/files.ts";
import { graphResource } from "./resources/graph.ts";
import { jobsResource } from "./resources/jobs.ts";
import { ontologiesResource } from "./resources/ontologies.ts";
import { projectsResource } from "./resources/projects.ts";
import { queryResource } from "./resources/query.ts";
import { webhooksResource } from "./resources/webhooks.ts";
import { DEFAULT_RETRY, type RetryPolicy } from "./retry.ts";
import { requireTime } from "./time-limit.ts";
import { createTransport, type Retry, type TransportDeps } from "./transport.ts";

export interface ClientOptions {
  /** The address of the service, with its path prefix if it has one. Default: http://127.0.0.1:8080 */
  readonly baseUrl?: string | undefined;
  /**
   * The API key, or a function that is called for it before each attempt. Leave it out on a page of the service's own
   * origin, where the session cookie authenticates the request.
   */
  readonly apiKey?: string | (() => string | Promise<string>) | undefined;
  /** Timeout of one attempt; Infinity: none. Default: 60,000 */
  readonly timeoutMs?: number | undefined;
  /**
   * Default: three retries, with delays of up to 250 ms, 500 ms and 1 s (the bound doubles, to at most 8 s). A
   * `Retry-After` of up to a minute is obeyed.
   */
  readonly retry?: Partial<RetryPolicy> | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Called before every retry. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

export type Client = ReturnType<typeof createClient>;

const DEFAULT_BASE_URL = "http://127.0.0.1:8080";
const DEFAULT_TIMEOUT_MS = 60_000;

/**
 * A client of one service. It holds no connection and no state, so it need not be closed.
 *
 *   const kcs = createClient({ baseUrl: "https://knowledge.example", apiKey });
 *   const answer = await kcs.query(projectId, { query: "When is the harbour dredged?" });
 */
export function createClient(options: ClientOptions = {}) {
  const { apiKey = null } = options;
  requireTime("timeoutMs", options.timeoutMs);
  const deps: TransportDeps = {
    baseUrl: readBaseUrl(options.baseUrl ?? DEFAULT_BASE_URL),
    apiKey: typeof apiKey === "function" ? apiKey : () => apiKey,
    // Browsers throw when `fetch` is called on an object other than the window.
    fetch: options.fetch ?? ((input, init) => fetch(input, init)),
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    retry: { ...DEFAULT_RETRY, ...options.retry },
    headers: options.headers ?? {},
    onRetry: options.onRetry ?? (() => undefined),
  };
  const transport = createTransport(deps);
  return {
    projects: projectsResource(transport),
    documents: documentsResource(transport),
    files: filesResource(transport),
    jobs: jobsResource(transport),
    graph: graphResource(transport),
    feedback: feedbackResource(transport),
    corrections: correctionsResource(transport),
    ontologies: ontologiesResource(transport),
    webhooks: webhooksResource(transport),
    ...queryResource(transport),
    ...accountResource(transport),
  };
}

/** @throws KcsError that does not quote the address: what stands before its host is a password */
function readBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && (url.username !== "" || url.password !== ""))
    throw new KcsError(
      "The address of the service has a user name or a password, which cannot be sent. Leave it out.",
    );
  return text.replace(/\/{1,64}$/, "").replace(/\/api\/v1$/, "");
}
