/** The parts of an endpoint's description in the OpenAPI document that are not in the endpoint table. */
import type { z } from "zod";

export const TAGS = {
  Projects:
    "A project holds documents with their vector and keyword index, and a graph unless it is vector only.",
  Documents: "Ingest documents, one or many at a time; list, read and delete them.",
  Jobs: "Ingestion runs in the background. A job reports its progress.",
  Query: "Questions in natural language.",
  Graph: "Entities and relationships extracted from the documents.",
  Ontologies: "An ontology defines which types of entities and relationships a graph may have.",
  Webhooks: "Signed HTTP messages to your own URL when an event happens.",
  Account: "Usage and limits of the account.",
} as const;

export type Tag = keyof typeof TAGS;

export interface HeaderParameter {
  readonly name: string;
  readonly in: "header";
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** The headers of responses, by name. */
export const ANSWER_HEADERS = {
  "Content-Disposition": { description: "Has the name of the file", schema: { type: "string" } },
  ETag: {
    description: "Identifies this response; `If-None-Match` sends it back",
    schema: { type: "string" },
  },
  "Idempotency-Replayed": {
    description: "Present when this is the stored first response of a repeated request",
    schema: { type: "string", enum: ["true"] },
  },
  RateLimit: {
    description: "Ingest requests left in the window, and the seconds until the oldest counted one leaves it",
    schema: { type: "string" },
    example: '"ingest";r=9;t=60',
  },
  "RateLimit-Policy": {
    description: "Ingest requests per window, and its seconds",
    schema: { type: "string" },
    example: '"ingest";q=10;w=60',
  },
  "Retry-After": {
    description: "Seconds until the request can be sent again",
    schema: { type: "integer", minimum: 0 },
  },
  "WWW-Authenticate": { description: "The scheme of the API key", schema: { type: "string" } },
  "X-KCS-Engine": {
    description:
      "What produced the suggestion: the language model, or the built-in engine when no model is configured or the account's tokens are used up",
    schema: { type: "string", enum: ["built-in", "language-model"] },
  },
} as const;

export type AnswerHeader = keyof typeof ANSWER_HEADERS;

export const RATE_LIMIT: readonly AnswerHeader[] = ["RateLimit", "RateLimit-Policy"];

/** One text that the `detail` of an error can have, and when it is returned. `<…>` marks a variable part. */
export interface ErrorAnswer {
  readonly status: number;
  readonly detail: string;
  readonly when: string;
  /** In addition to those that follow from the status. */
  readonly headers?: readonly AnswerHeader[];
}

export interface RequestBody {
  /** The name of its component in the OpenAPI document. */
  readonly name: string;
  /** Describes the body as the client sends it, before transforms. */
  readonly schema: z.ZodType;
  readonly example: unknown;
  /** Default: `application/json`. */
  readonly mediaType?: string;
  /** True when the request may have no body. */
  readonly isOptional?: boolean;
}

export interface OperationDetails {
  readonly tag: Tag;
  readonly description: string;
  /** The query parameters, as the route validates them. */
  readonly query?: z.ZodObject;
  readonly headers?: readonly HeaderParameter[];
  /** Headers of the success response, in addition to those that follow from the endpoint and its parameters. */
  readonly answerHeaders?: readonly AnswerHeader[];
  /** When the response is a 204 instead of the success of the endpoint table. */
  readonly noContent?: string;
  readonly body?: RequestBody;
  /** Body of the success response. A test validates it against the response schema. */
  readonly example?: unknown;
  /** Errors in addition to those that `errorsOf` derives from the path, the parameters and the body. */
  readonly errors?: readonly ErrorAnswer[];
}

export const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  project_id: "The id of a project",
  job_id: "The id of a job",
  ontology_id: "The id of an ontology",
  source_doc_id: "The id with which the document was ingested, URL-encoded",
  chunk_id: 'The id of a chunk, as `include: ["provenance"]` returns it',
  entity_id: "The id of an entity",
  webhook_id: "The id of a webhook",
  correction_id: "The id of a correction",
};

export const QUERY_PARAMETERS: Readonly<Record<string, string>> = {
  limit: "The maximum number of items to return",
  offset: "The number of items to skip",
  status: "Only jobs in this state",
  rating: "Only feedback with this rating",
  kind: "Only corrections of this kind",
  state: "Only corrections in this state",
  order: "Whether the newest or the oldest items come first",
  search: "Only items whose name or id contains this text, ignoring case",
  type: "Only items of this type",
  entity_id: "The entity whose items to return",
  as_of: "The year, month or day at which relationships hold by what the texts say; by default now",
  version: "A version of the ontology; the newest by default",
  before: "A version; by default the one before `after`",
  after: "Another version; by default the newest",
  dry_run: "true: only return what would change",
  include: "What to add to the response",
  format: "The format of the file",
  part: "The kind of row in a CSV file",
  from: "The first day, in UTC; defaults to 29 days before `to`",
  to: "The last day, in UTC; defaults to today",
};

const NOT_FOUND: Readonly<Record<string, string>> = {
  job_id: "Job not found",
  ontology_id: "Ontology not found",
  source_doc_id: "Document not found",
  chunk_id: "Chunk not found",
  entity_id: "Entity not found",
  webhook_id: "Webhook not found",
  correction_id: "Correction not found",
};

const ALWAYS: readonly ErrorAnswer[] = [
  {
    status: 401,
    detail: "Invalid API key",
    when: "The key is missing, malformed, unknown, expired or revoked.",
  },
  {
    status: 417,
    detail: 'Expect: expected "100-continue" or no header',
    when: "The header `Expect` has another value.",
  },
  {
    status: 503,
    detail: "<what is unavailable or overloaded>",
    when: "The database or the model is unavailable, or the service is overloaded. `Retry-After` says when to try again.",
  },
  {
    status: 500,
    detail: "Internal error. The log has its cause under the request id <request id>.",
    when: "A bug or an outage.",
  },
];

const WITH_BODY: readonly ErrorAnswer[] = [
  {
    status: 400,
    detail: "<field>: <what is wrong>, expected <what>",
    when: "The body is not valid. Several faults are joined by `; `.",
  },
  {
    status: 408,
    detail: "body: arrives too slowly, expected at least 80 KiB in 10 seconds",
    when: "A body over 64 KiB arrives too slowly, or the request takes more than two minutes to arrive.",
  },
  {
    status: 413,
    detail: "body: is too large for this endpoint",
    when: "The body or a text in it is too large.",
  },
  {
    status: 415,
    detail: "Content-Type: expected application/json",
    when: "The body is not plain JSON in UTF-8.",
  },
];

const WITH_PARAMETERS: ErrorAnswer = {
  status: 400,
  detail: "<parameter>: got <value>, expected <what>",
  when: "A parameter is not valid.",
};

const IN_PATH: ErrorAnswer = {
  status: 400,
  detail: "path: has a malformed percent-encoding",
  when: "A `%` in the path is not followed by two hexadecimal digits, or the bytes are not UTF-8.",
};

const WITH_PROJECT: readonly ErrorAnswer[] = [
  { status: 404, detail: "Project <project_id> not found", when: "There is no such project." },
  {
    status: 403,
    detail: "You don't have access to this project",
    when: "The project belongs to another account.",
  },
];

export const IDEMPOTENCY_KEY: HeaderParameter = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "A text that the client chooses. A repeated request with the same key and body returns the first response and has no further effect.",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
};

export const IF_NONE_MATCH: HeaderParameter = {
  name: "If-None-Match",
  in: "header",
  description: "The `ETag` of an earlier response. If the response is still the same, the status is 304.",
  schema: { type: "string" },
};

export const LAST_EVENT_ID: HeaderParameter = {
  name: "Last-Event-ID",
  in: "header",
  description: "The id of the last event that the client received. The stream continues after it.",
  schema: { type: "string" },
};

const IDEMPOTENT: readonly ErrorAnswer[] = [
  {
    status: 400,
    detail: "Idempotency-Key: expected 1 to 255 visible ASCII characters",
    when: "The key has other characters or is too long.",
  },
  {
    status: 409,
    detail:
      "Idempotency-Key: was used for another request in the last 24 hours. Use a new key for a new request.",
    when: "The key was used with another body or at another endpoint.",
  },
  {
    status: 409,
    detail: "Idempotency-Key: a request with this key is being carried out. Try again shortly.",
    when: "The first request with the key has not been answered yet. `Retry-After` says when to try again.",
    headers: ["Retry-After"],
  },
];

/**
 * Every error that an endpoint can return: its own errors first, then those that follow from its path, parameters and
 * body. An own error with the same status and the same `when` replaces a derived one.
 */
export function errorsOf(path: string, details: OperationDetails): readonly ErrorAnswer[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
  const notFound = names.flatMap((name): readonly ErrorAnswer[] => {
    const detail = NOT_FOUND[name];
    return detail === undefined
      ? []
      : [{ status: 404, detail, when: "The id does not exist, or it belongs to another account." }];
  });
  const implied = [
    ...(details.body === undefined ? [] : WITH_BODY),
    ...((details.headers ?? []).includes(IDEMPOTENCY_KEY) ? IDEMPOTENT : []),
    ...(details.query === undefined ? [] : [WITH_PARAMETERS]),
    ...(names.length === 0 ? [] : [IN_PATH]),
    ...(names.includes("project_id") ? WITH_PROJECT : []),
    ...notFound,
    ...ALWAYS,
  ];
  const own = details.errors ?? [];
  const isReplaced = (answer: ErrorAnswer) =>
    own.some((other) => other.status === answer.status && other.when === answer.when);
  return [...own, ...implied.filter((answer) => !isReplaced(answer))];
}
