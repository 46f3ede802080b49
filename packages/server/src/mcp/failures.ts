/** What a model reads when a call has failed: what happened, and what to do about it. */
import { ServiceError, type ServiceErrorKind } from "../domain/errors.ts";
import { StoreUnavailableError } from "../ports/store.ts";

/** Logs what is a bug or an outage; returns the id that the log has it under. */
export type OnFailure = (error: unknown) => string;

export interface Failure {
  readonly text: string;
  /** A bug or an outage: nothing that the caller did. */
  readonly isOurs: boolean;
}

const ADVICE: Readonly<Partial<Record<ServiceErrorKind, string>>> = {
  not_found:
    "Check the ids: list_projects, list_documents, search_entities, query and ingest_text return them.",
  forbidden: "list_projects shows the projects that this API key may use.",
  too_large: "Send a shorter text, or split it into several documents.",
};

/** Turns whatever was thrown into text without anything of the inside. */
export function failureText(error: unknown, onFailure: OnFailure): Failure {
  if (error instanceof DeadlineError) return { text: error.message, isOurs: true };
  if (error instanceof StoreUnavailableError) {
    onFailure(error);
    return { text: `${error.message} Try again in a few seconds.`, isOurs: true };
  }
  if (!(error instanceof ServiceError)) return internal(onFailure(error));
  const isOurs = error.kind === "internal" || error.kind === "unavailable";
  if (isOurs) onFailure(error);
  const advice =
    error.retryAfterSeconds === null
      ? ADVICE[error.kind]
      : `Call again in ${error.retryAfterSeconds} second${error.retryAfterSeconds === 1 ? "" : "s"}.`;
  return { text: [sentence(error.message), advice].filter(Boolean).join(" "), isOurs };
}

function internal(requestId: string): Failure {
  const text = `Internal error; the call may be tried once more. The service's log has its cause under the request id ${requestId}.`;
  return { text, isOurs: true };
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

class DeadlineError extends Error {
  constructor(seconds: number) {
    super(
      `The call took longer than ${seconds} seconds and was given up. Ask for less (a smaller top_k or limit), or try again shortly.`,
    );
    this.name = "DeadlineError";
  }
}

/** Answers in time, whatever becomes of the work; a result that comes later is dropped. */
export async function runWithDeadline<T>(work: () => Promise<T>, deadlineMs: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new DeadlineError(deadlineMs / 1000)), deadlineMs);
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
