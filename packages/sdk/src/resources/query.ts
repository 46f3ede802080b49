import { followAnswer } from "../answer-events.ts";
import { type CallOptions, pathOf, type Transport } from "../transport.ts";
import type { Query, QueryResult } from "../wire.ts";

/** Long enough for dynamic retrieval, which may call a language model several times. */
const QUERY_TIMEOUT_MS = 120_000;

export function queryResource(transport: Transport) {
  return {
    /** Resolves to a summary, the entities and relationships that led to it, and the passages that support it, best first. */
    query: (projectId: string, body: Query, options?: CallOptions) =>
      transport.json<QueryResult>({
        method: "POST",
        path: pathOf`/projects/${projectId}/query`,
        body,
        options: { timeoutMs: QUERY_TIMEOUT_MS, ...options },
      }),
    /**
     * The answer of `query` in parts, the passages first and the summary as a language model writes it; `addToAnswer` joins them. A
     * stream that breaks is not repeated. Leaving the loop, or aborting, ends the work of the service.
     */
    streamQuery: (projectId: string, body: Query, options?: CallOptions) =>
      followAnswer(transport, {
        method: "POST",
        path: pathOf`/projects/${projectId}/query`,
        body,
        options: { timeoutMs: QUERY_TIMEOUT_MS, ...options },
      }),
  };
}
