/** When a request is sent again, and after how long. */
import { ApiError, ConnectionError, TimeoutError } from "./errors.ts";

export interface RetryPolicy {
  /** Repetitions after the first attempt. */
  readonly maxRetries: number;
  /** The first delay is up to this, each further one up to twice the one before. */
  readonly minDelayMs: number;
  /** Longest delay of our own choice. */
  readonly maxDelayMs: number;
  /** The service may ask for a longer one, up to this; beyond it the error is thrown at once. */
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
 * Milliseconds until the next attempt, null when there is none.
 * @param attempt how many attempts have failed, from 1
 * @param random 0 ≤ random < 1: full jitter, so that clients that failed together do not come back together
 */
export function retryDelayMs(
  error: unknown,
  { attempt, policy, random }: { attempt: number; policy: RetryPolicy; random: number },
): number | null {
  if (attempt > policy.maxRetries) return null;
  const ceiling = Math.min(policy.maxDelayMs, policy.minDelayMs * 2 ** (attempt - 1));
  const backOffMs = ceiling * random;
  if (error instanceof ConnectionError || error instanceof TimeoutError) return backOffMs;
  if (!(error instanceof ApiError)) return null;
  const { status, retryAfterSeconds } = error;
  // A 409 with Retry-After: the same request is still being carried out.
  if (!RETRIED_STATUSES.has(status) && !(status === 409 && retryAfterSeconds !== null)) return null;
  if (retryAfterSeconds === null) return backOffMs;
  const askedMs = retryAfterSeconds * 1000;
  return askedMs > policy.maxRetryAfterMs ? null : askedMs + backOffMs;
}

/** Seconds of a `Retry-After` header, which has either seconds or a date; null where there is none to be read. */
export function readRetryAfter(value: string | null, nowMs: number): number | null {
  if (value === null) return null;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - nowMs) / 1000));
}

/** @throws the signal's reason as soon as it is aborted */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", abort, { once: true });
  });
}
