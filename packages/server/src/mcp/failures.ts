/** Texts for failed calls. A model reads them, so they say what happened and what to do. */
import { ServiceError, type ServiceErrorKind } from "../domain/errors.ts";
import { StoreUnavailableError } from "../ports/store.ts";

/** Logs a bug or an outage; returns the request id of the log entry, null if there are too many alike to log each. */
export type OnFailure = (error: unknown) => string | null;

export interface Failure {
  readonly text: string;
  /** True for a bug or an outage; false for a fault of the caller. */
  readonly isServiceFault: boolean;
}

const ADVICE: Readonly<Partial<Record<ServiceErrorKind, string>>> = {
  not_found:
    "Check the ids: list_projects, list_documents, search_entities, list_corrections, query and the tools that ingest return them.",
  forbidden: "list_projects shows the projects that this API key may use.",
  too_large: "Send a shorter text, or split it into several documents.",
};

/** The text for any thrown error, without internal details. */
export function failureText(error: unknown, onFailure: OnFailure): Failure {
  if (error instanceof DeadlineError) return { text: error.message, isServiceFault: true };
  if (error instanceof StoreUnavailableError) {
    onFailure(error);
    return { text: `${error.message} Try again in a few seconds.`, isServiceFault: true };
  }
  if (!(error instanceof ServiceError)) return internal(onFailure(error));
  const isServiceFault = error.kind === "internal" || error.kind === "unavailable";
  if (isServiceFault) onFailure(error);
  const advice =
    error.retryAfterSeconds === null
      ? ADVICE[error.kind]
      : `Call again in ${error.retryAfterSeconds} second${error.retryAfterSeconds === 1 ? "" : "s"}.`;
  return { text: [sentence(error.message), advice].filter(Boolean).join(" "), isServiceFault };
}

function internal(requestId: string | null): Failure {
  const place = requestId === null ? "those of earlier requests" : `the request id ${requestId}`;
  const text = `Internal error. You may try the call once more. The service's log shows the cause under ${place}.`;
  return { text, isServiceFault: true };
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

class DeadlineError extends Error {
  constructor(seconds: number) {
    super(
      `The call did not finish within ${seconds} seconds. Request less (a smaller top_k or limit), or try again shortly.`,
    );
    this.name = "DeadlineError";
  }
}

/** Rejects at the deadline. The work itself is not cancelled; a later result is dropped. */
export async function runWithDeadline<T>(work: () => Promise<T>, deadlineMs: number): Promise<T> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new DeadlineError(deadlineMs / 1000)), deadlineMs);
  try {
    return await Promise.race([work(), timeout]);
  } finally {
    clearTimeout(timer);
  }
}
