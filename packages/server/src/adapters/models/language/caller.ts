/**
 * Makes calls: the breaker admits them, the limiter schedules their tries, and the dialect selects the
 * request format.
 */
import { ModelError, type ModelRequest } from "../../../ports/language-model.ts";
import type { ModelLoad } from "../../../ports/model-activity.ts";
import { askProvider } from "./ask-provider.ts";
import { createBreaker, type Entry } from "./breaker.ts";
import { outcomeOf } from "./call-outcome.ts";
import type { Clock } from "./clock.ts";
import { isTimeout, startDeadline } from "./deadline.ts";
import type { Dialect } from "./dialect.ts";
import { createLimiter, LimiterFullError, LimiterPausedError } from "./limiter.ts";
import type { Provider, ProviderReply } from "./provider.ts";
import { ProviderFault } from "./provider-fault.ts";
import { LONGEST_RETRY_AFTER_MS, RetriesExhaustedError, withRetries } from "./retry.ts";
import { createVisibleText } from "./visible-text.ts";

const MAX_RETRIES = 3;
const FIRST_LIMIT = 4;
const MAX_WAITING = { maxWaiting: 1_024, maxWaitingPerAccount: 256 } as const;
const FAILURES_TO_OPEN = 3;
const COOL_DOWN_MS = 15_000;

export interface CallResult extends ProviderReply {
  readonly retries: number;
}

export interface Caller {
  /** @throws CallFailedError; the reason of the request's signal when that is aborted */
  call(request: ModelRequest, model: string): Promise<CallResult>;
  load(): ModelLoad;
}

/** A ModelError with details for the operator. */
export class CallFailedError extends Error {
  readonly error: ModelError;
  readonly retries: number;
  /** The beginning of what the provider wrote. */
  readonly detail: string;
  /** False when the provider was not called. */
  readonly hasBegun: boolean;

  constructor(error: ModelError, details: { readonly retries: number; readonly detail: string } | null) {
    super(error.message, { cause: error });
    this.name = "CallFailedError";
    this.error = error;
    this.retries = details?.retries ?? 0;
    this.detail = details?.detail ?? "";
    this.hasBegun = details !== null;
  }
}

/** All calls of a caller share one limiter and one breaker. */
export function createCaller(deps: {
  readonly provider: Provider;
  readonly dialect: Dialect;
  readonly tryTimeoutMs: number;
  readonly maxConcurrent: number;
  readonly clock: Clock;
}): Caller {
  const { clock } = deps;
  const limits = { initial: FIRST_LIMIT, max: deps.maxConcurrent, ...MAX_WAITING };
  const limiter = createLimiter({ ...limits, clock });
  const breaker = createBreaker({ failuresToOpen: FAILURES_TO_OPEN, coolDownMs: COOL_DOWN_MS, clock });

  async function tryOnce(request: ModelRequest, context: TryContext): Promise<ProviderReply> {
    // The breaker may have opened while this try was queued.
    const retryAt = context.entry.kind === "probe" ? null : breaker.retryAt(request.meter.accountId);
    if (retryAt !== null) throw breakerOpenError(retryAt);
    context.hasBegun = true;
    try {
      return await askProvider({ ...deps, ...context }, passingOn(request, context));
    } catch (error) {
      if (error instanceof ProviderFault && error.retryAfterMs !== null) {
        limiter.pause(Math.min(error.retryAfterMs, LONGEST_RETRY_AFTER_MS));
      }
      throw error;
    }
  }

  async function tryAll(request: ModelRequest, context: TryContext): Promise<CallResult> {
    const { deadlineMs, meter } = request;
    const { signal } = context;
    // Extraction runs in the background; for other tasks somebody waits on an HTTP request.
    const deadlineAt = deadlineMs === null ? Number.POSITIVE_INFINITY : clock.now() + deadlineMs;
    const place = { accountId: meter.accountId, isUrgent: request.task !== "extraction", deadlineAt };
    const { result, retries } = await withRetries(
      () => limiter.run(() => tryOnce(request, context), { ...place, signal, isOverload }),
      {
        maxRetries: context.entry.kind === "probe" ? 0 : MAX_RETRIES,
        deadlineAt,
        clock,
        signal,
        mayRetry: () => !context.hasPassedOn,
      },
    );
    return { ...result, retries };
  }

  return {
    async call(request, model) {
      const entry = breaker.enter(request.meter.accountId);
      if (entry.kind === "refused") throw breakerOpenError(entry.retryAt);
      const deadline = startDeadline(request.signal, request.deadlineMs);
      const context: TryContext = {
        model,
        entry,
        hasBegun: false,
        hasPassedOn: false,
        signal: deadline.signal,
      };
      try {
        const result = await tryAll(request, context);
        breaker.leave(entry, "answered");
        return result;
      } catch (error) {
        breaker.leave(entry, outcomeOf(error, context.hasBegun));
        request.signal?.throwIfAborted();
        throw toCallError(
          error,
          context,
          entry.kind === "probe" ? breaker.retryAt(request.meter.accountId) : null,
        );
      } finally {
        deadline.end();
      }
    },
    load: () => ({ ...limiter.state(), breaker: breaker.state() }),
  };
}

interface TryContext {
  readonly model: string;
  readonly entry: Entry;
  readonly signal: AbortSignal;
  /** True once a try has called the provider. */
  hasBegun: boolean;
  /** True once a try has passed on a part of its text. */
  hasPassedOn: boolean;
}

/** For one try, because each try begins the text anew. */
function passingOn(request: ModelRequest, context: TryContext): ModelRequest {
  const { onText } = request;
  if (onText === undefined) return request;
  const pass = (delta: string) => {
    context.hasPassedOn = true;
    onText(delta);
  };
  return { ...request, onText: createVisibleText(pass) };
}

function isOverload(error: unknown): boolean {
  return error instanceof ProviderFault && error.isOverload;
}

function breakerOpenError(retryAt: number): CallFailedError {
  const message = "The language model is not called for a while, because earlier calls failed.";
  return new CallFailedError(new ModelError("unavailable", message, { retryAt }), null);
}

function toCallError(error: unknown, { hasBegun }: TryContext, retryAt: number | null): unknown {
  if (error instanceof RetriesExhaustedError) {
    const { fault, retries } = error;
    const tried = retries === 0 ? "" : ` after ${retries} ${retries === 1 ? "retry" : "retries"}`;
    const message = `The language model gave no reply${tried}: ${fault.message}.`;
    const described = new ModelError(fault.kind, message, { cause: fault, retryAt });
    return new CallFailedError(described, { retries, detail: fault.detail });
  }
  if (error instanceof LimiterFullError) {
    const described = new ModelError(
      "rate_limited",
      "Too many calls to the language model are already waiting.",
    );
    return new CallFailedError(described, null);
  }
  if (error instanceof LimiterPausedError) {
    const message = "The language model is not called for a while, because its provider asks to wait.";
    return new CallFailedError(new ModelError("rate_limited", message, { retryAt: error.until }), null);
  }
  if (!isTimeout(error)) return error;
  const described = new ModelError("timeout", "The language model gave no reply in time.", { retryAt });
  return new CallFailedError(described, hasBegun ? { retries: 0, detail: "" } : null);
}
