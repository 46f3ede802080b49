/** Spans as OTLP 1.x in JSON: `ExportTraceServiceRequest` of opentelemetry-proto. Its 64-bit integers are strings. */
import type { Span, SpanAttributes } from "../../ports/tracing.ts";

/** Attributes of whatever sends: `service.name` and others. */
export type Resource = SpanAttributes;

const KINDS = { internal: 1, server: 2, client: 3 } as const;
const STATUS_ERROR = 2;
const NANOS_PER_MS = 1_000_000n;
/** Milliseconds since 1970 keep three digits after the point in a double. */
const STEPS_PER_MS = 1000;

export function spansBody(spans: readonly Span[], resource: Resource, scope: OtlpScope): unknown {
  return {
    resourceSpans: [
      {
        resource: { attributes: otlpAttributes(resource) },
        scopeSpans: [{ scope, spans: spans.map(otlpSpan) }],
      },
    ],
  };
}

/** What the spans and metrics come from. */
export interface OtlpScope {
  readonly name: string;
  readonly version: string;
}

function otlpSpan({ context, parentId, name, kind, startedAt, endedAt, attributes, error }: Span) {
  return {
    traceId: context.traceId,
    spanId: context.spanId,
    ...(parentId === null ? {} : { parentSpanId: parentId }),
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanos(startedAt),
    endTimeUnixNano: nanos(Math.max(startedAt, endedAt)),
    attributes: otlpAttributes(error === null ? attributes : { ...attributes, "error.type": error }),
    status: error === null ? {} : { code: STATUS_ERROR },
  };
}

export function nanos(ms: number): string {
  return String((BigInt(Math.round(ms * STEPS_PER_MS)) * NANOS_PER_MS) / BigInt(STEPS_PER_MS));
}

export function otlpAttributes(attributes: SpanAttributes) {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: otlpValue(value) }));
}

function otlpValue(value: string | number | boolean) {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
