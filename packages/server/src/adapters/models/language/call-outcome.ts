import type { CallOutcome } from "./breaker.ts";
import { isTimeout } from "./deadline.ts";
import { RetriesExhaustedError } from "./retry.ts";

/** What the error of a call says about the provider. `hasBegun`: whether the provider was called. */
export function outcomeOf(error: unknown, hasBegun: boolean): CallOutcome {
  if (!(error instanceof RetriesExhaustedError)) return isTimeout(error) && hasBegun ? "failed" : "unknown";
  const { kind, isUnreachable } = error.fault;
  if (kind === "refused") return "answered";
  return isUnreachable ? "unreachable" : "failed";
}
