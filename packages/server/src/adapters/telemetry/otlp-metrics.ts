/** Metrics as OTLP 1.x in JSON: `ExportMetricsServiceRequest` of opentelemetry-proto. */
import { nanos, type OtlpScope, otlpAttributes, type Resource } from "./otlp-spans.ts";

/** A metric as the Prometheus client reads it: a histogram has a value for each bucket, for its sum and for its count. */
export interface MetricSamples {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly values: readonly MetricValue[];
}

interface MetricValue {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number | undefined>>;
  /** Of a histogram's parts. */
  readonly metricName?: string;
}

interface Times {
  /** Milliseconds since 1970: from when counters count, and now. */
  readonly startedAt: number;
  readonly now: number;
}

const CUMULATIVE = 2;

/** `metrics` of kinds other than counter, gauge and histogram are left out. */
export function metricsBody(
  metrics: readonly MetricSamples[],
  sender: { readonly resource: Resource; readonly scope: OtlpScope },
  times: Times,
): unknown {
  const { resource, scope } = sender;
  const converted = metrics.flatMap((metric) => {
    const data = dataOf(metric, times);
    return data === null ? [] : [{ name: metric.name, description: metric.help, ...data }];
  });
  return {
    resourceMetrics: [
      { resource: { attributes: otlpAttributes(resource) }, scopeMetrics: [{ scope, metrics: converted }] },
    ],
  };
}

function dataOf({ name, type, values }: MetricSamples, times: Times) {
  const span = { startTimeUnixNano: nanos(times.startedAt), timeUnixNano: nanos(times.now) };
  const point = ({ value, labels }: MetricValue) => ({
    ...span,
    attributes: labelsOf(labels),
    asDouble: value,
  });
  const known = values.filter(({ value }) => Number.isFinite(value));
  if (type === "gauge") return { gauge: { dataPoints: known.map(point) } };
  if (type === "counter")
    return { sum: { dataPoints: known.map(point), aggregationTemporality: CUMULATIVE, isMonotonic: true } };
  if (type !== "histogram") return null;
  const series = Map.groupBy(known, ({ labels: { le: _bound, ...labels } }) => JSON.stringify(labels));
  const dataPoints = [...series.values()].map((parts) => ({ ...span, ...histogramOf(name, parts) }));
  return { histogram: { dataPoints, aggregationTemporality: CUMULATIVE } };
}

/** Prometheus counts all values up to each bound, OTLP those between two bounds. */
function histogramOf(name: string, parts: readonly MetricValue[]) {
  const buckets = parts
    .filter(({ labels }) => labels["le"] !== undefined)
    .map(({ labels, value }) => ({ bound: Number(labels["le"] === "+Inf" ? Infinity : labels["le"]), value }))
    .sort((one, other) => one.bound - other.bound);
  const partNamed = (suffix: string) =>
    parts.find(({ metricName }) => metricName === name + suffix)?.value ?? 0;
  const { le: _bound, ...labels } = parts[0]?.labels ?? {};
  return {
    attributes: labelsOf(labels),
    count: String(partNamed("_count")),
    sum: partNamed("_sum"),
    explicitBounds: buckets.map(({ bound }) => bound).filter(Number.isFinite),
    bucketCounts: buckets.map(({ value }, at) => String(value - (buckets[at - 1]?.value ?? 0))),
  };
}

function labelsOf(labels: MetricValue["labels"]) {
  return otlpAttributes(
    Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value ?? "")])),
  );
}
