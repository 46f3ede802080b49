import { feedbackBody, feedbackListParameters } from "../../bodies.ts";
import type { OperationDetails } from "../operation-details.ts";
import { EXAMPLE_PROJECT_ID } from "./projects.ts";

const given = {
  rating: "up",
  query: "When was the tower finished?",
  mode: "static",
  answer: "The tower was finished on 3 May 1852.",
  strategy_used: "hybrid",
  source_doc_ids: ["lighthouse"],
  comment: null,
};

const kept = {
  feedback_id: "fbk_5b0d2f0a8c1e4d63b7a9f02c6e8d1a34",
  project_id: EXAMPLE_PROJECT_ID,
  ...given,
  index_version: 7,
  service_version: "0.1.0",
  created_at: "2031-05-04T10:00:00.000Z",
};

export const feedbackDetails = {
  recordFeedback: {
    tag: "Query",
    description:
      "Keeps a rating of an answer with the question, the answer, the version of the index and that of the service, for evaluations. The same answer to the same question in the same mode has one rating: a further one replaces it and keeps its id, so the request can be repeated. The newest 10,000 of a project are kept; they are deleted with it. Their texts count as stored bytes of the account. It changes no answer.",
    body: { name: "RecordFeedback", schema: feedbackBody, example: given },
    example: kept,
    errors: [
      {
        status: 429,
        detail: "The account's storage is full. Delete projects that are no longer needed.",
        when: "The account has as many stored bytes as it may have.",
      },
    ],
  },
  listFeedback: {
    tag: "Query",
    description:
      "Newest first. `format=jsonl` returns the items of the page as JSON Lines, one object in each line, for evaluations; the page after the last one is empty.",
    query: feedbackListParameters,
    example: { feedback: [kept], total: 1, limit: 50, offset: 0 },
  },
} as const satisfies Readonly<Record<string, OperationDetails>>;
