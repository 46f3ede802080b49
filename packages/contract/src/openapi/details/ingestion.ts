import * as bodies from "../../bodies.ts";
import {
  type ErrorAnswer,
  IDEMPOTENCY_KEY,
  type OperationDetails,
  RATE_LIMIT,
} from "../operation-details.ts";
import { EXAMPLE_PROJECT_ID } from "./projects.ts";

/** The default of `KCS_MAX_TEXT_BYTES`; a service may be configured with another limit. */
const MAX_TEXT_BYTES = 10 * 1024 * 1024;

export const EXAMPLE_JOB_ID = "job_b1946ac92492d2347c6235b4d2611184";

export const exampleJob = {
  job_id: EXAMPLE_JOB_ID,
  project_id: EXAMPLE_PROJECT_ID,
  source_doc_id: "harbour-log",
  status: "completed",
  chunks_processed: 12,
  nodes_created: 0,
  edges_created: 0,
  started_at: "2031-05-03T09:15:00.310Z",
  completed_at: "2031-05-03T09:15:01.022Z",
  error_message: null,
};

export const ingestErrors: readonly ErrorAnswer[] = [
  {
    status: 429,
    detail: "Rate limit exceeded. Try again in 60 seconds.",
    when: "The account sent more ingest requests within sixty seconds than it may. `Retry-After` says when the next one is accepted.",
    headers: RATE_LIMIT,
  },
  {
    status: 403,
    detail: "Token usage limit exceeded",
    when: "The account has used up its tokens of this calendar month.",
  },
];

export const notAuthorized: ErrorAnswer = {
  status: 403,
  detail: "User is not authorized for this project",
  when: "The project belongs to another account.",
};

const document = {
  source_doc_id: "harbour-log",
  text: "The dredger Wanda works the east basin every second spring.",
  metadata: { lang: "en", year: 1994 },
};
const accepted = { job_id: EXAMPLE_JOB_ID, status: "pending", created_at: "2031-05-03T09:15:00.120Z" };

export const ingestionDetails = {
  ingest: {
    tag: "Documents",
    description:
      "Accepts a document and returns its job at once. A document with the same `source_doc_id` is replaced; queries see the old version until the new one is complete.",
    headers: [IDEMPOTENCY_KEY],
    body: { name: "IngestDocument", schema: bodies.ingestBody(MAX_TEXT_BYTES), example: document },
    answerHeaders: RATE_LIMIT,
    example: accepted,
    errors: ingestErrors,
  },
  ingestBatch: {
    tag: "Documents",
    description: "Accepts up to 1,000 documents in one request, all or none. Each document has its own job.",
    headers: [IDEMPOTENCY_KEY],
    body: {
      name: "IngestBatch",
      schema: bodies.ingestBatchBody(MAX_TEXT_BYTES),
      example: { documents: [document] },
    },
    answerHeaders: RATE_LIMIT,
    example: { jobs: [{ ...accepted, source_doc_id: "harbour-log" }] },
    errors: ingestErrors,
  },
  uploadFiles: {
    tag: "Documents",
    description:
      "Accepts up to 100 files in one request, all or none, and keeps the originals. Each file has its own job, which first turns it into text; its type is recognised by its content. The id of its document is its name as it was sent, with folders, unless `source_doc_id` gives the id of a single file, or `source_doc_ids`, a JSON array, one for each file in their order. `metadata` is that of each file. The files of an archive become documents below its path. A file that cannot be read fails its job, whose `error_message` has the reason.",
    headers: [IDEMPOTENCY_KEY],
    body: {
      name: "UploadFiles",
      mediaType: "multipart/form-data",
      schema: bodies.uploadForm,
      example: { files: ["<bytes of manuals/pump.pdf>"], metadata: '{"lang": "en"}' },
    },
    answerHeaders: RATE_LIMIT,
    example: { jobs: [{ ...accepted, source_doc_id: "manuals/pump.pdf" }] },
    errors: [
      ...ingestErrors,
      {
        status: 413,
        detail: "files: a file has more than 104857600 bytes, the most that KCS_MAX_FILE_BYTES allows",
        when: "The body or a text in it is too large.",
      },
      {
        status: 415,
        detail: "Content-Type: expected multipart/form-data with a boundary",
        when: "The body is not plain JSON in UTF-8.",
      },
      {
        status: 429,
        detail: "At most 4 uploads of an account run at once. Try again shortly.",
        when: "The account sends as many files at once as it may.",
      },
    ],
  },
  ingestUrl: {
    tag: "Documents",
    description:
      "Fetches one page over https and accepts it like a file. The id of its document is the URL, unless `source_doc_id` gives another. Only public addresses are reached, also by the up to five redirects that are followed. The page has a minute. Of a sitemap, each page that it names (1 to 1,000) is accepted as a document with its address as the id, and fetched later; a page that cannot be fetched fails its own job.",
    headers: [IDEMPOTENCY_KEY],
    body: {
      name: "IngestUrl",
      schema: bodies.ingestUrlBody,
      example: { url: "https://example.com/pumps.html", metadata: { lang: "en" } },
    },
    answerHeaders: RATE_LIMIT,
    example: { jobs: [{ ...accepted, source_doc_id: "https://example.com/pumps.html" }] },
    errors: [
      ...ingestErrors,
      {
        status: 400,
        detail: "url: The server answered 404",
        when: "The page cannot be fetched.",
      },
    ],
  },
  listJobs: {
    tag: "Jobs",
    description: "Newest first. `total` is the number of jobs in this response.",
    query: bodies.jobPageParameters,
    example: { jobs: [exampleJob], total: 1, limit: 100, offset: 0 },
    errors: [notAuthorized],
  },
  getJob: {
    tag: "Jobs",
    description:
      "The current state of a job. A failed job keeps the counts that it had reached; `error_message` says what went wrong.",
    example: exampleJob,
    errors: [notAuthorized],
  },
} as const satisfies Readonly<Record<string, OperationDetails>>;
