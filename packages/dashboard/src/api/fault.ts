/** Turns errors of requests into messages for the user. */
import { ApiError, ConnectionError, TimeoutError } from "@kcs/sdk";

const unreachable = "The service cannot be reached. Is it running, and is this machine online?";

/** HTTP status of the response; null when there was none. */
export function statusOf(error: unknown): number | null {
  return error instanceof ApiError ? error.status : null;
}

/** When a limit lets requests pass again; null: the answer does not say. */
export function retryAfterOf(error: unknown): number | null {
  return error instanceof ApiError ? error.retryAfterSeconds : null;
}

/** The service's error text if it responded, with the time of the next attempt if it gave one. */
export function messageOf(error: unknown): string {
  if (isUnreachable(error)) return unreachable;
  if (error instanceof ApiError) return detailOf(error);
  if (error instanceof TimeoutError) return "The service did not answer in time. Try again in a moment.";
  return error instanceof Error ? error.message : String(error);
}

/** Whether the service itself did not answer: nothing, or a proxy in its place. */
export function isUnreachable(error: unknown): boolean {
  const status = statusOf(error);
  return error instanceof ConnectionError || status === 502 || status === 504;
}

/** Whether the same request may succeed later. */
export function isTemporary(error: unknown): boolean {
  return error instanceof ConnectionError || statusOf(error) === 503;
}

/** Of a limit with the time that its header says: the sentence has a fixed one. */
function detailOf({ status, detail, retryAfterSeconds }: ApiError): string {
  // An id says nothing to somebody who has followed a link.
  if (status === 404 && /^Project prj_\w{1,64} not found$/.test(detail))
    return "The project was deleted, or it belongs to another account.";
  if (status !== 429 || retryAfterSeconds === null) return detail;
  const what = detail.replace(/Try again in \d{1,9} seconds?\.$/, "").trimEnd();
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds));
  return `${what}${what.endsWith(".") ? "" : "."} Try again in ${seconds} ${seconds === 1 ? "second" : "seconds"}.`;
}
