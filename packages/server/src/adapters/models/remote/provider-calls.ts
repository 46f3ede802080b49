/**
 * Calls of one model at a provider: a circuit breaker admits them, a limiter schedules their tries, what may pass is tried
 * again, and the end of each is reported.
 */
import type { EmbeddingActivity } from "../../../ports/embedding-activity.ts";
import type { Log } from "../../../ports/log.ts";
import { createBreaker, type Entry } from "../language/breaker.ts";
import { outcomeOf } from "../language/call-outcome.ts";
import type { Clock } from "../language/clock.ts";
import { isTimeout, startDeadline } from "../language/deadline.ts";
import { createLimiter, LimiterFullError, LimiterPausedError } from "../language/limiter.ts";
import { ProviderFault } from "../language/provider-fault.ts";
import { LONGEST_RETRY_AFTER_MS, RetriesExhaustedError, withRetries } from "../language/retry.ts";
import { createCallReporter } from "./call-reporter.ts";

const FIRST_LIMIT = 4;
const MAX_WAITING = { maxWaiting: 1_024, maxWaitingPerAccount: 256 } as const;
const FAILURES_TO_OPEN = 3;
const COOL_DOWN_MS = 15_000;

export interface CalledModel extends Pick<EmbeddingActivity, "kind" | "provider" | "model"> {
  /** For messages: what the model is, and what it gives. */
  readonly words: { readonly model: string; readonly result: string };
  /** Time limit of one try; null = that of the call. */
  readonly tryTimeoutMs: number | null;
  readonly maxConcurrent: number;
  readonly maxRetries: number;
}

export interface CallOptions {
  readonly accountId: string;
  /** Somebody waits for it. */
  readonly isUrgent: boolean;
  /** For all tries together; null = no overall limit. */
  readonly deadlineMs: number | null;
  readonly signal: AbortSignal | undefined;
}

export interface ProviderCalls {
  /** @throws ProviderCallError; the reason of the options' signal when it is aborted */
  run<T extends { readonly tokens: number }>(
    attempt: (signal: AbortSignal) => Promise<T>,
    options: CallOptions,
  ): Promise<T>;
}

/** All tries have failed, or none was allowed. The message contains nothing that the provider wrote. */
export class ProviderCallError extends Error {
  readonly failure: "refused" | "unavailable";
  /** The earliest time at which another call may be allowed; null when unknown. */
  readonly retryAt: number | null;

  constructor(
    message: string,
    options: {
      readonly failure?: "refused";
      readonly retryAt: number | null;
      readonly cause?: unknown;
    },
  ) {
    super(message, { cause: options.cause });
    this.name = "ProviderCallError";
    this.failure = options.failure ?? "unavailable";
    this.retryAt = options.retryAt;
  }
}

interface TryContext {
  readonly entry: Entry;
  readonly signal: AbortSignal;
  /** True once a try has called the provider. */
  hasBegun: boolean;
}

/** Create one for each model and thread: all its calls share the limiter and the breaker. */
export function createProviderCalls(
  called: CalledModel,
  deps: {
    readonly log: Log;
    readonly clock: Clock;
    /** Called at the end of each call. */
    readonly onActivity: ((activity: EmbeddingActivity) => void) | undefined;
  },
): ProviderCalls {
  const { log, clock } = deps;
  const { model, tryTimeoutMs } = called;
  const limiter = createLimiter({ initial: FIRST_LIMIT, max: called.maxConcurrent, ...MAX_WAITING, clock });
  const breaker = createBreaker({ failuresToOpen: FAILURES_TO_OPEN, coolDownMs: COOL_DOWN_MS, clock });
  const isBreakerOpen = () => breaker.state() !== "closed";
  const reporter = createCallReporter(called, { ...deps, isBreakerOpen });

  async function tryOnce<T>(attempt: (signal: AbortSignal) => Promise<T>, context: TryContext): Promise<T> {
    const { signal } = context;
    context.hasBegun = true;
    const deadline = startDeadline(signal, tryTimeoutMs);
    try {
      return await attempt(deadline.signal);
    } catch (error) {
      if (!signal.aborted && isTimeout(error)) throw new ProviderFault("timeout", "no answer in time");
      if (error instanceof ProviderFault && error.retryAfterMs !== null)
        limiter.pause(Math.min(error.retryAfterMs, LONGEST_RETRY_AFTER_MS));
      throw error;
    } finally {
      deadline.end();
    }
  }

  async function tryAll<T>(
    attempt: (signal: AbortSignal) => Promise<T>,
    context: TryContext,
    { accountId, isUrgent, deadlineMs }: CallOptions,
  ): Promise<T> {
    const { entry, signal } = context;
    const deadlineAt = deadlineMs === null ? Number.POSITIVE_INFINITY : clock.now() + deadlineMs;
    const place = { accountId, isUrgent, signal, deadlineAt, isOverload };
    const { result } = await withRetries(() => limiter.run(() => tryOnce(attempt, context), place), {
      clock,
      signal,
      maxRetries: entry.kind === "probe" ? 0 : called.maxRetries,
      deadlineAt,
    });
    return result;
  }

  return {
    async run(attempt, options) {
      const startedAt = clock.now();
      const entry = breaker.enter(options.accountId);
      if (entry.kind === "refused") {
        reporter.ended(startedAt, "kept_out");
        throw breakerOpenError(called, entry.retryAt);
      }
      const deadline = startDeadline(options.signal, options.deadlineMs);
      const context: TryContext = { entry, signal: deadline.signal, hasBegun: false };
      try {
        const result = await tryAll(attempt, context, options);
        breaker.leave(entry, "answered");
        reporter.answered(startedAt, result.tokens);
        return result;
      } catch (error) {
        breaker.leave(entry, outcomeOf(error, context.hasBegun));
        if (options.signal?.aborted === true) reporter.ended(startedAt, "aborted");
        options.signal?.throwIfAborted();
        const described = toCallError(error, called, breaker.retryAt(options.accountId));
        if (error instanceof LimiterPausedError) reporter.ended(startedAt, "kept_out");
        else if (described instanceof ProviderCallError) {
          const { failure, message } = described;
          log.warn(`${called.kind}_failed`, { model, failure, message });
          reporter.failed(startedAt, failure, message);
        }
        throw described;
      } finally {
        deadline.end();
      }
    },
  };
}

function isOverload(error: unknown): boolean {
  return error instanceof ProviderFault && error.isOverload;
}

function breakerOpenError({ words, model }: CalledModel, retryAt: number): ProviderCallError {
  const message = `The ${words.model} "${model}" is not called for a while, because earlier calls failed.`;
  return new ProviderCallError(message, { retryAt });
}

function toCallError(error: unknown, { words, model }: CalledModel, retryAt: number | null): unknown {
  if (error instanceof RetriesExhaustedError) {
    const { fault, retries } = error;
    const tried = retries === 0 ? "" : ` after ${retries} ${retries === 1 ? "retry" : "retries"}`;
    const message = `The ${words.model} "${model}" gave no ${words.result}${tried}: ${fault.message}.`;
    const refused = fault.kind === "refused" ? { failure: "refused" as const } : {};
    return new ProviderCallError(message, { ...refused, cause: fault, retryAt });
  }
  if (error instanceof LimiterFullError) {
    const message = `Too many calls to the ${words.model} "${model}" are already waiting.`;
    return new ProviderCallError(message, { retryAt });
  }
  if (error instanceof LimiterPausedError) {
    const message = `The ${words.model} "${model}" is not called for a while, because its provider asks to wait.`;
    return new ProviderCallError(message, { retryAt: error.until });
  }
  if (!isTimeout(error)) return error;
  return new ProviderCallError(`The ${words.model} "${model}" gave no ${words.result} in time.`, { retryAt });
}
