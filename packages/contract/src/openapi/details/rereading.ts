import { rereadDocumentsBody } from "../../bodies.ts";
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

const refusals = [
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
] as const;

export const rereadingDetails = {
  rereadProject: {
    tag: "Projects",
    description:
      "Reads all documents of the project again from their stored texts, with the present version of the service, so that the graph is what a new ingest would give. The work runs in the background as jobs, at most 128 at a time, with the usual progress, events, webhooks and retries; until the job of a document ends, queries use the document as it is. Vectors of unchanged chunks are used again and not charged. A document that is replaced or deleted meanwhile is not read again. Counts as one ingest request. Repeating the request while the work runs returns its state and starts nothing.",
    example: exampleReread,
    errors: refusals,
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
  rereadDocuments: {
    tag: "Documents",
    description:
      "Reads the given documents again from their stored texts, as the reread of a project does, at once. Answers with one job for each, in the order given; a document with an unfinished job is answered with that job, so the request can be repeated. A document of which no complete text can be found because its ingest failed is retried, as `retry` does; one of which no text is stored any more, because its job was cancelled, has no job in the answer and is to be ingested again. When a limit of the account is reached while those are retried, the jobs until then are accepted. A document whose last ingest failed and that is found with an earlier text is read again with that text. Unknown documents are a 404, and nothing is queued. Counts as one ingest request if it brings a new job. Cancelling the reread of the project cancels these jobs, too.",
    body: {
      name: "RereadDocuments",
      schema: rereadDocumentsBody,
      example: { source_doc_ids: ["lighthouse"] },
    },
    example: {
      jobs: [
        {
          job_id: "job_7d1f0c52a9e84b36b1f2c3d4e5f60718",
          status: "pending",
          created_at: "2031-05-04T10:00:00.000Z",
          source_doc_id: "lighthouse",
        },
      ],
    },
    answerHeaders: ["RateLimit", "RateLimit-Policy"],
    errors: [
      ...refusals,
      {
        status: 404,
        detail: 'Documents not found: "lighthous". Nothing was queued.',
        when: "The project does not have some of the documents.",
      },
    ],
  },
} as const satisfies Readonly<Record<string, OperationDetails>>;
