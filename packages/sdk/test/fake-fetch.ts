/** Answers of a service that a test writes down, and the requests that came. */

export interface Sent {
  readonly method: string;
  /** With the query string. */
  readonly path: string;
  readonly headers: Headers;
  readonly body: unknown;
}

export type Answer = (request: Sent, signal: AbortSignal) => Response | Promise<Response>;

/** The last answer is given again and again. */
export function fakeFetch(...answers: readonly Answer[]): {
  readonly fetch: typeof fetch;
  readonly sent: readonly Sent[];
} {
  const sent: Sent[] = [];
  return {
    sent,
    async fetch(input, init) {
      const url = new URL(String(input));
      const request = {
        method: init?.method ?? "GET",
        path: url.pathname + url.search,
        headers: new Headers(init?.headers),
        body: typeof init?.body === "string" ? (JSON.parse(init.body) as unknown) : undefined,
      };
      sent.push(request);
      const answer = answers[Math.min(sent.length, answers.length) - 1];
      return await (answer ?? (() => json({})))(request, init?.signal ?? new AbortController().signal);
    },
  };
}

/** What the service's answers have, and no other's: JSON, event streams, and files. */
export const own = {
  json: { "content-type": "application/json", "x-request-id": "req_1" },
  events: { "content-type": "text/event-stream", "x-request-id": "req_1" },
  file: { "content-disposition": "attachment", "x-request-id": "req_1" },
} as const;

export function json(body: unknown): Response {
  return new Response(JSON.stringify(body), { headers: own.json });
}

export function fault(status: number, detail: string, headers: Record<string, string> = {}): Answer {
  return () => new Response(JSON.stringify({ detail }), { status, headers: { ...own.json, ...headers } });
}
