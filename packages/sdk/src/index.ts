export { type AnswerEvent, addToAnswer, emptyAnswer } from "./answer-events.ts";
export { type Client, type ClientOptions, createClient } from "./client.ts";
export {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  type ErrorAnswer,
  KcsError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
  TooLargeError,
  UnavailableError,
} from "./errors.ts";
export type { JobEvent } from "./job-events.ts";
export type { DocumentPage } from "./resources/documents.ts";
export type { FileToUpload, UploadFields } from "./resources/files.ts";
export type {
  AssociationFilter,
  EntityFilter,
  EntityOptions,
  EvidencedRelationship,
  GraphExport,
  RelationshipFilter,
} from "./resources/graph.ts";
export type { ListedOntology } from "./resources/ontologies.ts";
export type { ListedProject } from "./resources/projects.ts";
export type { RetryPolicy } from "./retry.ts";
export type { CallOptions, Retry } from "./transport.ts";
export {
  hasEnded,
  JobFailedError,
  type JobsProgress,
  type WaitAllOptions,
  type WaitOptions,
} from "./wait-for-jobs.ts";
export type { ReembeddingWaitOptions, RereadWaitOptions } from "./wait-until-ended.ts";
export type * from "./wire.ts";
