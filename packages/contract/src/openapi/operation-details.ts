/** What the description of the API says about an endpoint beyond its row in the endpoint table. */
import type { z } from "zod";

export const TAGS = {
  Projects:
    "Where documents live. A project keeps vectors and keywords, and a graph unless it is vector only.",
  Documents: "Text goes in, one document or many at a time, and can be listed, read and deleted.",
  Jobs: "Ingestion runs in the background; a job says how far it is.",
  Query: "Questions in natural language.",
  Graph: "Entities and relationships that were read out of the documents.",
  Ontologies: "Which kinds of things and relationships a graph may have.",
  Webhooks: "Signed messages to an address of yours when something has happened.",
  Account: "What was used, and what is left.",
} as const;

export type Tag = keyof typeof TAGS;

export interface HeaderParameter {
  readonly name: string;
  readonly in: "header";
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** A header of the success. */
export interface AnswerHeader {
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** One text that an error's `detail` can have, and when. `<…>` stands for what varies. */
export interface ErrorAnswer {
  readonly status: number;
  readonly detail: string;
  readonly when: string;
}

export interface RequestBody {
  /** The component's name. */
  readonly name: string;
  /** As it is sent: transforms are not applied. */
  readonly schema: z.ZodType;
  readonly example: unknown;
  /** Where a body may be left out. */
  readonly isOptional?: boolean;
}

export interface OperationDetails {
  readonly tag: Tag;
  readonly description: string;
  /** Of the query string, as the route checks them. */
  readonly query?: z.ZodObject;
  readonly headers?: readonly HeaderParameter[];
  /** Of the success, by name. */
  readonly answerHeaders?: Readonly<Record<string, AnswerHeader>>;
  readonly body?: RequestBody;
  /** Of the success; validated against its schema by a test. */
  readonly example?: unknown;
  /** Besides those that follow from the path and the body: see `errorsOf`. */
  readonly errors?: readonly ErrorAnswer[];
}

export const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  project_id: "The id of a project",
  job_id: "The id of a job",
  ontology_id: "The id of an ontology",
  source_doc_id: "The id that a document was ingested with, URL-encoded",
  chunk_id: 'The id of a chunk, as `include: ["provenance"]` returns it',
  entity_id: "The id of an entity",
  webhook_id: "The id of a webhook",
};

export const QUERY_PARAMETERS: Readonly<Record<string, string>> = {
  limit: "At most so many",
  offset: "How many to skip",
  search: "Only those whose name or id has this in it, in any case",
  type: "Only those of this type",
  entity_id: "Only those that join this entity to another",
  format: "The format of the file",
  part: "Which rows a CSV file has",
  from: "The first day, in UTC; thirty days ago where it is left out",
  to: "The last day, in UTC; today where it is left out",
};

const UNKNOWN_THINGS: Readonly<Record<string, string>> = {
  job_id: "Job not found",
  ontology_id: "Ontology not found",
  source_doc_id: "Document not found",
  chunk_id: "Chunk not found",
  entity_id: "Entity not found",
  webhook_id: "Webhook not found",
};

const ALWAYS: readonly ErrorAnswer[] = [
  {
    status: 401,
    detail: "Invalid API key",
    when: "The key is missing, malformed, unknown, expired or revoked.",
  },
  {
    status: 503,
    detail: "<what cannot be reached or is asked too much>",
    when: "The database or the model cannot be reached, or too much is asked at once. `Retry-After` says when to try again.",
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
    when: "The body is not valid; several faults are joined by `; `.",
  },
  {
    status: 413,
    detail: "body: is too large for this endpoint",
    when: "The body, or a text in it, is too large.",
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
    "A text of your own. The same key with the same body gives the same answer again and does nothing twice.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

const IDEMPOTENT: readonly ErrorAnswer[] = [
  {
    status: 400,
    detail: "Idempotency-Key: expected 1 to 255 visible ASCII characters",
    when: "The key has other characters, or is too long.",
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
  },
];

/** Every error an endpoint can answer: those of its own first, then those that follow from its path and its body. */
export function errorsOf(path: string, details: OperationDetails): readonly ErrorAnswer[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? "");
  const things = names.flatMap((name): readonly ErrorAnswer[] => {
    const detail = UNKNOWN_THINGS[name];
    return detail === undefined
      ? []
      : [{ status: 404, detail, when: "There is no such thing in reach of this key." }];
  });
  const implied = [
    ...(details.body === undefined ? [] : WITH_BODY),
    ...((details.headers ?? []).includes(IDEMPOTENCY_KEY) ? IDEMPOTENT : []),
    ...(details.query === undefined ? [] : [WITH_PARAMETERS]),
    ...(names.includes("project_id") ? WITH_PROJECT : []),
    ...things,
    ...ALWAYS,
  ];
  const own = details.errors ?? [];
  const replaced = (answer: ErrorAnswer) =>
    own.some((one) => one.status === answer.status && one.when === answer.when);
  return [...own, ...implied.filter((answer) => !replaced(answer))];
}
