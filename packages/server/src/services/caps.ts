/** Limits on how many things an account may own, and on what a request may bring. */
import { errors, type ServiceError } from "../domain/errors.ts";
import { fitTogether, type Metadata } from "../domain/metadata.ts";

const RETRY_AFTER_SECONDS = 3600;

/** `too_many_requests` where anybody may sign up; `invalid_input` where the account is the operator's own. */
export function accountCapReached(what: string, cap: number, signUp: "open" | "closed"): ServiceError {
  const detail = `The account has ${cap} ${what}, as many as it may have. Delete one that is no longer needed.`;
  return signUp === "open" ? errors.busy(detail, RETRY_AFTER_SECONDS) : errors.invalidInput(detail);
}

const STORAGE_RETRY_SECONDS = 30;

export function storageFull(): ServiceError {
  const detail = "The account's storage is full. Delete projects that are no longer needed.";
  return errors.busy(detail, STORAGE_RETRY_SECONDS);
}

/**
 * The documents of a request.
 * @throws ServiceError where their metadata is more than one transaction writes
 */
export function fitting<Document extends { readonly metadata: Metadata }>(
  documents: readonly Document[],
): readonly Document[] {
  if (fitTogether(documents.map(({ metadata }) => metadata))) return documents;
  throw errors.tooMuchMetadata();
}
