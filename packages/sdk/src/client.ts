import { accountResource } from "./resources/account.ts";
import { documentsResource } from "./resources/documents.ts";
import { graphResource } from "./resources/graph.ts";
import { jobsResource } from "./resources/jobs.ts";
import { ontologiesResource } from "./resources/ontologies.ts";
import { projectsResource } from "./resources/projects.ts";
import { queryResource } from "./resources/query.ts";
import { webhooksResource } from "./resources/webhooks.ts";
import { DEFAULT_RETRY, type RetryPolicy } from "./retry.ts";
import { createTransport, type Retry, type TransportDeps } from "./transport.ts";

export interface ClientOptions {
  /** Where the service is, with its path prefix where it has one. Default: http://127.0.0.1:8080 */
  readonly baseUrl?: string | undefined;
  /**
   * The API key, or a function that is asked for it before each attempt. Left out on a page of the service's own origin,
   * where the session's cookie stands in for it.
   */
  readonly apiKey?: string | (() => string | Promise<string>) | undefined;
  /** Of one attempt. Default: 60,000 */
  readonly timeoutMs?: number | undefined;
  /** Default: three repetitions, 250 ms to 8 s apart, longer where the service asks for it, up to a minute. */
  readonly retry?: Partial<RetryPolicy> | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Told of every attempt that is repeated. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
  /** In place of the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

export type Client = ReturnType<typeof createClient>;

const DEFAULT_BASE_URL = "http://127.0.0.1:8080";
const DEFAULT_TIMEOUT_MS = 60_000;

/**
 * A client of one service. It holds no connection and no state: nothing has to be closed.
 *
 *   const kcs = createClient({ baseUrl: "https://knowledge.example", apiKey });
 *   const answer = await kcs.query(projectId, { query: "When is the harbour dredged?" });
 */
export function createClient(options: ClientOptions = {}) {
  const { apiKey = null } = options;
  const deps: TransportDeps = {
    baseUrl: (options.baseUrl ?? DEFAULT_BASE_URL).replace(/\/+$/, "").replace(/\/api\/v1$/, ""),
    apiKey: typeof apiKey === "function" ? apiKey : () => apiKey,
    // Unbound it would lose its window in browsers.
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
    jobs: jobsResource(transport),
    graph: graphResource(transport),
    ontologies: ontologiesResource(transport),
    webhooks: webhooksResource(transport),
    ...queryResource(transport),
    ...accountResource(transport),
  };
}
