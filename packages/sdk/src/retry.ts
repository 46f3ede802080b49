/** Decides whether a request is retried, and after which delay. */
import { ApiError, ConflictError, ConnectionError, TimeoutError } from "./errors.ts";

export interface RetryPolicy {
  /** Retries after the first attempt. */
  readonly maxRetries: number;
  /** Upper bound of the first delay. The bound doubles with each retry. */
  readonly minDelayMs: number;
  /** Upper bound of a delay that the client chooses itself. */
  readonly maxDelayMs: number;
  /** Longest `Retry-After` that is obeyed. For a longer one the error is thrown at once. */
  readonly maxRetryAfterMs: number;
}

export const DEFAULT_RETRY: RetryPolicy = {
  maxRetries: 3,
  minDelayMs: 250,
  maxDelayMs: 8_000,
  maxRetryAfterMs: 60_000,
};

const RETRIED_STATUSES: ReadonlySet<number> = new Set([408, 425, 429, 502, 503, 504]);

/**
 * Milliseconds until the next attempt; null when the request is not retried.
 * @param attempt number of failed attempts, from 1
 * @param random 0 ≤ random < 1, for full jitter: clients that failed at the same time do not retry at the same time
 */
export function retryDelayMs(
  error: unknown,
  { attempt, policy, random }: { attempt: number; policy: RetryPolicy; random: number },
): number | null {
  if (!(attempt <= policy.maxRetries)) return null; // Also for NaN.
  const ceiling = Math.min(policy.maxDelayMs, policy.minDelayMs * 2 ** (attempt - 1));
  const backOffMs = ceiling * random;
  if (error instanceof ConnectionError || error instanceof TimeoutError) return backOffMs;
  if (!(error instanceof ApiError)) return null;
  const { status, retryAfterSeconds } = error;
  // A 409 with Retry-After: the same request is still being carried out.
  const isAtWork = error instanceof ConflictError && retryAfterSeconds !== null;
  if (!RETRIED_STATUSES.has(status) && !isAtWork) return null;
  if (retryAfterSeconds === null) return backOffMs;
  const retryAfterMs = retryAfterSeconds * 1000;
  return retryAfterMs > policy.maxRetryAfterMs ? null : retryAfterMs + backOffMs;
}

/** Reads a `Retry-After` header, which is a number of seconds or a date, as seconds; null when it is absent or unreadable. */
export function readRetryAfter(value: string | null, nowMs: number): number | null {
  if (value === null) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - nowMs) / 1000));
}
