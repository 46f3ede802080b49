import { errors, type ServiceError } from "../domain/errors.ts";

const RETRY_AFTER_SECONDS = 3600;

/** Where accounts are open to anybody a full one is told to wait; an operator's own is told what to do. */
export function accountCapReached(what: string, cap: number, signUp: "open" | "closed"): ServiceError {
  const detail = `The account has ${cap} ${what}, as many as it may have. Delete one that is no longer needed.`;
  return signUp === "open" ? errors.busy(detail, RETRY_AFTER_SECONDS) : errors.invalidInput(detail);
}
