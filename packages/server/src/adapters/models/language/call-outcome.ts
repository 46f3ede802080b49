import type { CallOutcome } from "./breaker.ts";
import { isTimeout } from "./deadline.ts";
import { RetriesExhaustedError } from "./retry.ts";

/** What the error of a call says about the provider. `hasBegun`: whether the provider was called. */
export function outcomeOf(error: unknown, hasBegun: boolean): CallOutcome {
  if (!(error instanceof RetriesExhaustedError))
    return isTimeout(error) && hasBegun ? "timed_out" : "unknown";
  const { kind } = error.fault;
  if (kind === "refused") return "answered";
  return kind === "timeout" ? "timed_out" : "failed";
}
