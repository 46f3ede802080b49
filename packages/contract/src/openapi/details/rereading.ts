import type { OperationDetails } from "../operation-details.ts";
import { EXAMPLE_PROJECT_ID } from "./projects.ts";

export const exampleReread = {
  project_id: EXAMPLE_PROJECT_ID,
  status: "running",
  documents_processed: 412,
  documents_failed: 1,
  documents_total: 2048,
  created_at: "2031-05-04T10:00:00.000Z",
  completed_at: null,
  error_message: null,
};

export const rereadingDetails = {
  rereadProject: {
    tag: "Projects",
    description:
      "Reads all documents of the project again from their stored texts, with the present version of the service, so that the graph is what a new ingest would give. The work runs in the background as jobs, at most 128 at a time, with the usual progress, events, webhooks and retries; until the job of a document ends, queries use the document as it is. Vectors of unchanged chunks are used again and not charged. A document that is replaced or deleted meanwhile is not read again. Counts as one ingest request. Repeating the request while the work runs returns its state and starts nothing.",
    example: exampleReread,
    errors: [
      {
        status: 403,
        detail: "Token usage limit exceeded",
        when: "The account has used up its tokens of this calendar month.",
      },
      {
        status: 409,
        detail: "The project is vector_only. It has no graph, so there is nothing to read again.",
        when: "The project was created with `vector_only`.",
      },
      {
        status: 409,
        detail:
          "The project is being moved to another embedding model. Wait until that move has finished, or cancel it first.",
        when: "A move to another embedding model is running.",
      },
      {
        status: 429,
        detail: "Rate limit exceeded. Try again in 60 seconds.",
        when: "The account has sent too many ingest requests in the last minute, or has too many pending jobs.",
      },
    ],
  },
  getReread: {
    tag: "Projects",
    description:
      "The current reread of the project's documents, or the last one. `documents_processed` contains `documents_failed`; the jobs have the reasons. `failed` as a status: the account has used up its tokens. For a project that was never read again the response has the status `completed` and no times.",
    example: exampleReread,
  },
  cancelReread: {
    tag: "Projects",
    description:
      "Cancels the reread and its unfinished jobs. Documents that were already read again stay so; the others stay as they were. For a reread that is already cancelled the response is that reread, unchanged.",
    example: { ...exampleReread, status: "cancelled", completed_at: "2031-05-04T10:03:11.006Z" },
    errors: [
      {
        status: 409,
        detail: "The project is not being read again. There is nothing to cancel.",
        when: "The project was never read again, or the reread has ended.",
      },
    ],
  },
} as const satisfies Readonly<Record<string, OperationDetails>>;
