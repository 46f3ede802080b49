/** Reads an answer while the service makes it. */
import { apiError, ConnectionError, KcsError } from "./errors.ts";
import { eventBodyOf, readEvents } from "./server-sent-events.ts";
import type { Transport } from "./transport.ts";
import type { Explanation, QueryEvent, QueryResult, QueryStep } from "./wire.ts";

type Results = QueryResult["results"];

/** A part of an answer. The texts of the summary events together are its summary. "done" is the last event. */
export type AnswerEvent =
  | { readonly type: "chunks"; readonly chunks: Results["chunks"] }
  | { readonly type: "summary"; readonly text: string }
  | { readonly type: "entities"; readonly entities: Results["entities"] }
  | { readonly type: "relationships"; readonly relationships: Results["relationships"] }
  | { readonly type: "stated"; readonly stated: NonNullable<QueryResult["stated"]> }
  | { readonly type: "explain"; readonly explain: Explanation }
  | { readonly type: "steps"; readonly steps: readonly QueryStep[] }
  | { readonly type: "done"; readonly id: string; readonly query: string; readonly strategy_used: string };

const TYPES: readonly string[] = [
  "chunks",
  "summary",
  "entities",
  "relationships",
  "stated",
  "explain",
  "steps",
  "done",
];

/** @throws ApiError for a fault that the service tells in the stream, ConnectionError when the stream ends before the answer does */
export async function* followAnswer(
  transport: Transport,
  request: Parameters<Transport["open"]>[0],
): AsyncGenerator<AnswerEvent, void> {
  const signal = request.options?.signal;
  const response = await transport.open({ ...request, accept: "text/event-stream" });
  try {
    for await (const { type, data } of readEvents(eventBodyOf(response))) {
      // The service's tests check that the data matches the contract's schema.
      const value = JSON.parse(data) as QueryEvent;
      if ("detail" in value) {
        const requestId = response.headers.get("x-request-id");
        throw apiError({ ...value, requestId, retryAfterSeconds: null });
      }
      if (!TYPES.includes(type)) continue; // Of a later version.
      yield { type, ...value } as AnswerEvent;
      if (type === "done") return;
    }
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    if (error instanceof KcsError) throw error;
    throw new ConnectionError("The connection broke before the answer was complete.", { cause: error });
  }
  throw new ConnectionError("The answer ended before it was complete.");
}

/** The answer with what an event adds; begin with `emptyAnswer`. After "done" it is what `query` resolves to. */
export function addToAnswer(answer: QueryResult, event: AnswerEvent): QueryResult {
  const { results } = answer;
  if (event.type === "summary")
    return { ...answer, results: { ...results, summary: results.summary + event.text } };
  if (event.type === "done") return { ...answer, query: event.query, strategy_used: event.strategy_used };
  if (event.type === "stated") return { ...answer, stated: event.stated };
  if (event.type === "explain") return { ...answer, explain: event.explain };
  if (event.type === "steps") return { ...answer, steps: event.steps };
  const { type: _, ...list } = event;
  return { ...answer, results: { ...results, ...list } };
}

/** Of which nothing has arrived yet. */
export const emptyAnswer: QueryResult = {
  query: "",
  strategy_used: "",
  results: { summary: "", entities: [], relationships: [], chunks: [] },
};
