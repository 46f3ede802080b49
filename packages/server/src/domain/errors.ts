/**
 * The failures that a caller can act on. Only `http/errors.ts` maps kinds to statuses. Any other error that
 * is thrown is a bug or an outage.
 */
import { MAX_METADATA_BYTES } from "./metadata.ts";
import { withoutMiddle } from "./without-middle.ts";

export type ServiceErrorKind =
  | "invalid_input"
  | "too_large"
  | "too_slow"
  | "unsupported_media"
  | "unauthenticated"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "too_many_requests"
  | "unavailable"
  | "internal"
  /** Nobody waits for the result any more. */
  | "abandoned";

/** A detail quotes parts of requests, each cut where it is quoted. This is for those that are not, and longer than any path. */
const MAX_DETAIL = { start: 20_000, end: 150 } as const;

export class ServiceError extends Error {
  readonly kind: ServiceErrorKind;
  /** Seconds until a retry can succeed; set only with `too_many_requests`, `conflict` and `unavailable`. */
  readonly retryAfterSeconds: number | null;
  /** Log level for the operator; used only for kinds with a 5xx status. */
  readonly severity: "error" | "warn";

  constructor(
    kind: ServiceErrorKind,
    detail: string,
    options: {
      retryAfterSeconds?: number;
      cause?: unknown;
      severity?: ServiceError["severity"];
    } = {},
  ) {
    super(
      withoutMiddle(detail, MAX_DETAIL),
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = "ServiceError";
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
    this.severity = options.severity ?? "error";
  }
}

/** Ids that one message quotes. */
const MAX_NAMED = 10;

/** All error texts: those that the contract fixes, which must not change, and our own. */
export const errors = {
  invalidInput: (detail: string) => new ServiceError("invalid_input", detail),
  tooMuchMetadata: () =>
    new ServiceError(
      "invalid_input",
      `metadata: that of all documents of the request has more than ${MAX_METADATA_BYTES} bytes together; send fewer at a time`,
    ),
  unsupportedMedia: (detail: string) => new ServiceError("unsupported_media", detail),
  tooLarge: (detail: string) => new ServiceError("too_large", detail),
  tooSlow: ({ bytes, periodMs }: { readonly bytes: number; readonly periodMs: number }) =>
    new ServiceError(
      "too_slow",
      `body: arrives too slowly, expected at least ${Math.ceil(bytes / 1024)} KiB in ${periodMs / 1000} seconds`,
    ),
  /** For a request that a browser sends for a page of an origin that is not allowed. */
  originRefused: (detail: string) => new ServiceError("forbidden", detail),
  abandoned: () => new ServiceError("abandoned", "The client has disconnected."),
  invalidApiKey: () => new ServiceError("unauthenticated", "Invalid API key"),
  vectorOnlyWithOntology: () =>
    new ServiceError("invalid_input", "Vector-only projects cannot specify an ontology"),
  missingHierarchy: () =>
    new ServiceError("invalid_input", "Invalid ontology schema: missing hierarchy definition"),
  useCaseRequired: () => new ServiceError("invalid_input", "Use case description is required"),
  projectNotFound: (projectId: string) => new ServiceError("not_found", `Project ${projectId} not found`),
  projectForbidden: () => new ServiceError("forbidden", "You don't have access to this project"),
  projectJobsForbidden: () => new ServiceError("forbidden", "User is not authorized for this project"),
  jobNotFound: () => new ServiceError("not_found", "Job not found"),
  jobEnded: (jobId: string, status: "completed" | "failed") =>
    new ServiceError(
      "conflict",
      `Job ${jobId} is ${status}. Only a pending or running job can be cancelled.`,
    ),
  jobNotFailed: (jobId: string, status: string) =>
    new ServiceError("conflict", `Job ${jobId} is ${status}. Only a failed job can be retried.`),
  jobSentAgain: (jobId: string, laterJobId: string) =>
    new ServiceError(
      "conflict",
      `The document of job ${jobId} was sent or retried again as job ${laterJobId}, which has not ended.`,
    ),
  jobTextGone: (jobId: string) =>
    new ServiceError(
      "conflict",
      `The text of job ${jobId} is no longer kept, because the document was ingested again or deleted, or the job was cancelled. Ingest it again.`,
    ),
  embeddingNotConfigured: (model: string, configured: readonly string[]) =>
    new ServiceError(
      "invalid_input",
      `embedding: got "${model}", expected one that is configured: ${configured.join(", ")}`,
    ),
  otherReembeddingActive: (model: string) =>
    new ServiceError(
      "conflict",
      `The project is already being moved to another embedding model, ${model}. Wait until that move has finished, or cancel it first.`,
    ),
  nothingToCancel: () =>
    new ServiceError(
      "conflict",
      "The project is not being moved to another embedding model. There is nothing to cancel.",
    ),
  noGraphToReread: () =>
    new ServiceError(
      "conflict",
      "The project is vector_only. It has no graph, so there is nothing to read again.",
    ),
  rereadDuringMove: () =>
    new ServiceError(
      "conflict",
      "The project is being moved to another embedding model. Wait until that move has finished, or cancel it first.",
    ),
  noRereadToCancel: () =>
    new ServiceError("conflict", "The project is not being read again. There is nothing to cancel."),
  correctionsTooLarge: (chunks: number) =>
    new ServiceError("conflict", `The corrections concern more than ${chunks} chunks. Send fewer at once.`),
  correctionsOfManyPairs: (pairs: number) =>
    new ServiceError(
      "conflict",
      `The corrections confirm or reject relationships between more than ${pairs} pairs of names. Send fewer at once, or name fewer in 'also'.`,
    ),
  tooManyCorrections: (count: number) =>
    new ServiceError(
      "conflict",
      `The project has ${count} corrections, as many as it may have. Undo those that are not needed.`,
    ),
  correctionsTooLong: (bytes: number) =>
    new ServiceError(
      "conflict",
      `The corrections of a project may have ${bytes} bytes in all. Undo those that are not needed.`,
    ),
  correctionsOfManyNames: (names: number) =>
    new ServiceError(
      "conflict",
      `The corrections of a project may be of ${names} names in all. Undo those that are not needed, or name fewer in 'also'.`,
    ),
  noOntologyOfProject: () => new ServiceError("conflict", "The project has no ontology."),
  correctionNotFound: () => new ServiceError("not_found", "Correction not found"),
  webhookNotFound: () => new ServiceError("not_found", "Webhook not found"),
  keyOfAnotherRequest: () =>
    new ServiceError(
      "conflict",
      "Idempotency-Key: was used for another request in the last 24 hours. Use a new key for a new request.",
    ),
  keyInUse: () =>
    new ServiceError(
      "conflict",
      "Idempotency-Key: a request with this key is being carried out. Try again shortly.",
      { retryAfterSeconds: 1 },
    ),
  documentWithoutFile: () =>
    new ServiceError("not_found", "The document has no file: it was ingested as a text"),
  documentNotFound: () => new ServiceError("not_found", "Document not found"),
  documentsNotFound: (ids: readonly string[]) => {
    const named = ids.slice(0, MAX_NAMED).map((id) => JSON.stringify(id));
    const others = ids.length - named.length;
    const list = [...named, ...(others > 0 ? [`${others} more`] : [])].join(", ");
    return new ServiceError("not_found", `Documents not found: ${list}. Nothing was queued.`);
  },
  chunkNotFound: () => new ServiceError("not_found", "Chunk not found"),
  edgesBetweenNodes: ({ nodes, edges }: { readonly nodes: number; readonly edges: number }) =>
    new ServiceError(
      "invalid_input",
      `edges: has ${edges} items, expected ${nodes - 1}, one between each two of the ${nodes} nodes`,
    ),
  entityNotFound: () => new ServiceError("not_found", "Entity not found"),
  ontologyNotFound: () => new ServiceError("not_found", "Ontology not found"),
  ontologyFileWithoutName: () =>
    new ServiceError("invalid_input", "name: missing, expected one because the file has none"),
  ontologyBound: (projects: number) =>
    new ServiceError(
      "conflict",
      `The ontology is bound to ${projects} ${projects === 1 ? "project" : "projects"}. Delete them or move them to another ontology first.`,
    ),
  tooManyOntologyVersions: (versions: number) =>
    new ServiceError(
      "conflict",
      `The ontology has ${versions} versions, as many as it may have. Create another ontology.`,
    ),
  ontologyChanged: () =>
    new ServiceError("conflict", "The ontology was changed meanwhile. Nothing was put into it; try again."),
  projectHasNoOntology: () =>
    new ServiceError(
      "invalid_input",
      "ontology_version: the project is bound to no ontology, expected ontology_id with it",
    ),
  projectAtWork: (work: "working" | "rereading" | "moving") => {
    const doing = {
      working: "Some of the project's documents are being ingested.",
      rereading: "The project is being read again.",
      moving: "The project is being moved to another embedding model.",
    }[work];
    return new ServiceError("conflict", `${doing} Wait until that has ended, or cancel it first.`, {
      retryAfterSeconds: 5,
    });
  },
  boundOtherwise: () =>
    new ServiceError(
      "conflict",
      "The project was bound to another ontology or version meanwhile. Look at it, and send the change again if it is still wanted.",
    ),
  ontologyNotAccessible: () => new ServiceError("not_found", "Ontology not found or not accessible"),
  tokenLimit: () => new ServiceError("forbidden", "Token usage limit exceeded"),
  ingestRateLimit: (retryAfterSeconds: number) =>
    new ServiceError("too_many_requests", "Rate limit exceeded. Try again in 60 seconds.", {
      retryAfterSeconds,
    }),
  busy: (detail: string, retryAfterSeconds: number) =>
    new ServiceError("too_many_requests", detail, { retryAfterSeconds }),
  tooManyAttempts: (seconds: number) =>
    errors.busy(`Too many attempts. Try again in ${seconds} seconds.`, seconds),
  deleteFailed: (reason: string, cause: unknown) =>
    new ServiceError("internal", `Failed to delete vector data: ${reason}`, { cause }),
  /** For a failure of a language model, which has its own log entry. */
  suggestionFailed: (reason: string, cause?: unknown) =>
    new ServiceError("internal", `Failed to generate ontology suggestion: ${reason}`, {
      severity: "warn",
      cause,
    }),
  indexDamaged: (cause: unknown) =>
    new ServiceError(
      "unavailable",
      "A part of the search index is damaged and is being rebuilt. Try again shortly.",
      { retryAfterSeconds: 5, cause },
    ),
  unavailable: (
    detail: string,
    options: { retryAfterSeconds: number; cause?: unknown; severity?: ServiceError["severity"] },
  ) => new ServiceError("unavailable", detail, options),
} as const;

/** The texts of a failed job or move, as its owner reads them. The contract fixes the first four. */
export const jobErrorMessages = {
  databaseConnectionLost: "Database connection lost",
  tokenLimit: "Token usage limit exceeded",
  modelTimeout: "LLM API timeout after 3 retries",
  invalidExtraction: "Invalid extraction: missing required properties",
  documentDeleted: "The document was deleted",
  storageFull: "The account's storage is full",
  diskFault: "The service's disk is full or faulty; the job goes on when there is room",
  noRoom:
    "The archive unpacks to more than the service's disk has room for; unpack it and send its files, or retry the job when there is more room",
  tooManyMembers:
    "The archive has more files than the account may have pending jobs; retry the job when some of them are done",
  modelRefused: "The language model refused to work on this document; the service's log has the cause",
  moveTargetMissing: ({ model, dimensions }: { readonly model: string; readonly dimensions: number }) =>
    `The embedding model "${model}" with ${dimensions} dimensions is not configured any more. The project stays with the one that it has.`,
  workerDied: (attempts: number, work: string) => `The worker ended ${attempts} times while it ${work}`,
  internal: (activity: string) => `Internal error while ${activity}; the service's log has the cause`,
} as const;
