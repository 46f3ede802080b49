/** What the service says about itself at /metrics. */

/** Values by name and labels as they stand in the Prometheus text format. */
export type Metrics = ReadonlyMap<string, number>;

export async function readMetrics(baseUrl: string): Promise<Metrics> {
  const response = await fetch(`${baseUrl}/metrics`);
  const text = await response.text();
  if (!response.ok) throw new Error(`/metrics answered ${response.status}: ${text.slice(0, 200)}`);
  const values = new Map<string, number>();
  for (const line of text.split("\n")) {
    const [, name, value] = /^([A-Za-z_:][\w:]*(?:\{.*\})?) (\S+)/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) values.set(name, Number(value));
  }
  return values;
}

/** The service's own figures without labels: counts, bytes, merges. */
export function ownFigures(metrics: Metrics): Readonly<Record<string, number>> {
  return Object.fromEntries([...metrics].filter(([name]) => /^kcs_[a-z_]+$/.test(name)));
}

/**
 * The main thread's event-loop delay since the last look at the metrics, 99th percentile, in milliseconds; null
 * where the service does not tell it. Looking starts the next period.
 */
export function eventLoopDelayP99Ms(metrics: Metrics): number | null {
  const names = ["kcs_event_loop_delay_p99_seconds", "nodejs_eventloop_lag_p99_seconds"];
  const found = names.map((name) => metrics.get(name)).find((value) => value !== undefined);
  return found === undefined || Number.isNaN(found) ? null : found * 1000;
}
