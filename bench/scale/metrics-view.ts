/** Reads the service's metrics from /metrics. */

/** Values by name with labels, as written in the Prometheus text format. */
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

/** The service's own metrics without labels, such as counts, bytes and merges. */
export function ownFigures(metrics: Metrics): Readonly<Record<string, number>> {
  return Object.fromEntries([...metrics].filter(([name]) => /^kcs_[a-z_]+$/.test(name)));
}

/**
 * The 99th percentile of the main thread's event-loop delay since the metrics were last read, in milliseconds; null when
 * the service does not report it. Reading the metrics resets it.
 */
export function eventLoopDelayP99Ms(metrics: Metrics): number | null {
  const names = ["kcs_event_loop_delay_p99_seconds", "nodejs_eventloop_lag_p99_seconds"];
  const found = names.map((name) => metrics.get(name)).find((value) => value !== undefined);
  return found === undefined || Number.isNaN(found) ? null : found * 1000;
}
