import * as bodies from "../../bodies.ts";
import type { OperationDetails } from "../operation-details.ts";

export const queryDetails = {
  query: {
    tag: "Query",
    description:
      'Returns a summary, the entities and relationships that led to it, and the passages that support it, best first. `filter` restricts the query to some documents. With `as_of`, a year, month or day, the relationships are those that hold then by what the texts say; so they are where the question names a time ("in 1990"). Else they are those that have not ended. With `max_per_document` the answer has at most so many passages of one document, and passages of others in place of the rest. `include: ["steps"]` adds the searches that led to the answer. `strategy_used` names what ran: that of a dynamic query ends in `_rerank` where a reranker at a provider ordered the passages, and in `_rerank_failed` where it gave no scores and the answer was made without it. A static query never calls a reranker at a provider. With `Accept: text/event-stream` the answer is a stream of the events `chunks`, `summary` (one or several, whose texts together are the summary), `entities`, `relationships`, `stated` where people have stated something that is asked for, `explain` and `steps` if they are included, and `done`; a fault after the first event is the event `error`, the last one.',
    body: {
      name: "Query",
      schema: bodies.queryBody,
      example: {
        query: "When is the harbour dredged?",
        mode: "static",
        top_k: 3,
        max_per_document: 1,
        include: ["provenance"],
        filter: { metadata: { lang: ["en", "da"], year: { gte: 1990, lt: 2000 } } },
      },
    },
    example: {
      query: "When is the harbour dredged?",
      strategy_used: "hybrid",
      results: {
        summary: "The dredger Wanda works the east basin every second spring.",
        entities: [],
        relationships: [],
        chunks: [
          {
            text: "The dredger Wanda works the east basin every second spring.",
            similarity: 0.64,
            chunk_id: "ver_5d41402abc4b2a76b9719d911017c592.0",
            source_doc_id: "harbour-log",
            start: 0,
            end: 59,
          },
        ],
      },
    },
    errors: [
      {
        status: 429,
        detail: "<how many questions an account may ask at once>",
        when: "The account already runs as many questions as it may at once.",
      },
    ],
  },
} as const satisfies Readonly<Record<string, OperationDetails>>;
