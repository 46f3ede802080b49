/** Traces of requests and jobs, for an exporter: `main` alone records them; threads report to it what they did. */
import { AsyncLocalStorage } from "node:async_hooks";
import { createHash, randomBytes } from "node:crypto";
import type { RequestTrace, Span, TraceContext, Tracer } from "./ports/tracing.ts";

/** Where work runs. */
interface Place {
  readonly context: TraceContext;
  readonly request: RequestTrace["request"];
}

const TRACE_DIGITS = 32;
const SPAN_DIGITS = 16;
/** Of later versions only the same fields are read. Ids of zeros alone are not valid. */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-|$)/;
const SAMPLED = 1;

/**
 * `ratio`: of the traces that begin here, from 0 to 1. A trace that a caller began is recorded when the caller records it.
 * Jobs are chosen by their ids, so that all processes record the same.
 */
export function createTracer(options: {
  readonly record: (span: Span) => void;
  readonly ratio: number;
  readonly now?: () => number;
}): Tracer {
  const { record, ratio, now = () => performance.timeOrigin + performance.now() } = options;
  const storage = new AsyncLocalStorage<Place>();
  /** Of the open request in which this runs: threads and timers that began in one go on in its context when it has ended. */
  const place = (): Place | null => {
    const found = storage.getStore();
    return found === undefined || found.request.hasEnded ? null : found;
  };
  const isChosen = (traceId: string) => Number.parseInt(traceId.slice(-8), 16) < ratio * 2 ** 32;
  const traceOfJob = (jobId: string) => {
    const digits = createHash("sha256").update(`trace of job ${jobId}`).digest("hex");
    const traceId = digits.slice(0, TRACE_DIGITS);
    return isChosen(traceId) ? { traceId, spanId: digits.slice(-SPAN_DIGITS) } : null;
  };
  const below = (parent: TraceContext): TraceContext => ({
    traceId: parent.traceId,
    spanId: newId(SPAN_DIGITS),
  });
  return {
    current: () => place()?.context ?? null,
    begin(traceparent) {
      const given = TRACEPARENT.exec(traceparent ?? "");
      const [, traceId = newId(TRACE_DIGITS), parentId = null, flags = "00"] = given ?? [];
      const isWanted = given === null ? isChosen(traceId) : (Number.parseInt(flags, 16) & SAMPLED) !== 0;
      if (!isWanted) return null;
      return {
        traceId,
        spanId: newId(SPAN_DIGITS),
        parentId,
        startedAt: now(),
        request: { hasEnded: false },
      };
    },
    run: (trace, work) => storage.run({ context: contextOf(trace), request: trace.request }, work),
    end(trace, ended) {
      const { parentId, startedAt, request } = trace;
      request.hasEnded = true;
      record({ ...ended, context: contextOf(trace), parentId, kind: "server", startedAt, endedAt: now() });
    },
    async measure(named, work) {
      const around = place();
      if (around === null) return work();
      const { context: parent, request } = around;
      const context = below(parent);
      const startedAt = now();
      const end = (error: string | null) =>
        record({ ...named, context, parentId: parent.spanId, startedAt, endedAt: now(), error });
      try {
        const result = await storage.run({ context, request }, work);
        end(null);
        return result;
      } catch (error) {
        end(error instanceof Error ? error.name : "error");
        throw error;
      }
    },
    record: (parent, span) => record({ ...span, context: below(parent), parentId: parent.spanId }),
    recordJob(jobId, span) {
      const context = traceOfJob(jobId);
      if (context !== null) record({ ...span, context, parentId: null, kind: "internal" });
    },
    traceOfJob,
  };
}

function contextOf({ traceId, spanId }: RequestTrace): TraceContext {
  return { traceId, spanId };
}

function newId(digits: number): string {
  return randomBytes(digits / 2).toString("hex");
}
