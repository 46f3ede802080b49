/** Traces of requests and jobs, for an exporter: `main` alone records them; threads report to it what they did. */
import { AsyncLocalStorage } from "node:async_hooks";
import { createHash, randomBytes } from "node:crypto";
import type { RequestTrace, Span, TraceContext, Tracer } from "./ports/tracing.ts";

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
  const storage = new AsyncLocalStorage<TraceContext>();
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
    current: () => storage.getStore() ?? null,
    begin(traceparent) {
      const given = TRACEPARENT.exec(traceparent ?? "");
      const [, traceId = newId(TRACE_DIGITS), parentId = null, flags = "00"] = given ?? [];
      const isWanted = given === null ? isChosen(traceId) : (Number.parseInt(flags, 16) & SAMPLED) !== 0;
      return isWanted ? { traceId, spanId: newId(SPAN_DIGITS), parentId, startedAt: now() } : null;
    },
    run: (trace, work) => storage.run(trace, work),
    end({ parentId, startedAt, ...context }: RequestTrace, ended) {
      record({ ...ended, context, parentId, kind: "server", startedAt, endedAt: now() });
    },
    async measure(named, work) {
      const parent = storage.getStore();
      if (parent === undefined) return work();
      const context = below(parent);
      const startedAt = now();
      const end = (error: string | null) =>
        record({ ...named, context, parentId: parent.spanId, startedAt, endedAt: now(), error });
      try {
        const result = await storage.run(context, work);
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

function newId(digits: number): string {
  return randomBytes(digits / 2).toString("hex");
}
