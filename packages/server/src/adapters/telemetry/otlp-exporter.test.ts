import assert from "node:assert/strict";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { after, before, beforeEach, describe, test } from "node:test";
import type { Span } from "../../ports/tracing.ts";
import { createOtlpExporter, type OtlpExporter } from "./otlp-exporter.ts";

interface Received {
  readonly path: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: unknown;
}

describe("the exporter of spans and metrics", () => {
  const received: Received[] = [];
  /** Of the next answers; 200 when none is left. */
  let statuses: number[] = [];
  const server = createServer(async (request, response) => {
    const body: unknown = JSON.parse(await text(request));
    received.push({ path: request.url, headers: request.headers, body });
    response.writeHead(statuses.shift() ?? 200, { "retry-after": "0.01" }).end("{}");
  });
  const warnings: unknown[] = [];
  let endpoint = "";

  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // It listens on a port.
  });
  after(() => void server.close());
  beforeEach(() => {
    received.length = 0;
    warnings.length = 0;
    statuses = [];
  });

  function open(): OtlpExporter {
    return createOtlpExporter(
      { endpoint, headers: { authorization: "Bearer secret" } },
      {
        resource: { "service.name": "tested" },
        scope: { name: "tests", version: "1" },
        startedAt: 1_000,
        log: { warn: (event, fields) => void warnings.push({ event, ...fields }) },
      },
    );
  }

  test("sends a span with its ids, times in nanoseconds, attributes by type and its error", async () => {
    const exporter = open();
    exporter.record(
      spanNamed("one", { attributes: { text: "a", count: 3, part: 0.5, is: true }, error: "500" }),
    );
    await exporter.close();
    assert.equal(received[0]?.path, "/v1/traces");
    assert.equal(received[0].headers["content-type"], "application/json");
    assert.equal(received[0].headers.authorization, "Bearer secret");
    assert.deepEqual(received[0].body, {
      resourceSpans: [
        {
          resource: { attributes: [{ key: "service.name", value: { stringValue: "tested" } }] },
          scopeSpans: [
            {
              scope: { name: "tests", version: "1" },
              spans: [
                {
                  traceId: "0af7651916cd43dd8448eb211c80319c",
                  spanId: "b7ad6b7169203331",
                  parentSpanId: "00f067aa0ba902b7",
                  name: "one",
                  kind: 2,
                  startTimeUnixNano: "1700000000000125000",
                  endTimeUnixNano: "1700000000004000000",
                  attributes: [
                    { key: "text", value: { stringValue: "a" } },
                    { key: "count", value: { intValue: "3" } },
                    { key: "part", value: { doubleValue: 0.5 } },
                    { key: "is", value: { boolValue: true } },
                    { key: "error.type", value: { stringValue: "500" } },
                  ],
                  status: { code: 2 },
                },
              ],
            },
          ],
        },
      ],
    });
    assert.deepEqual(exporter.counts, { sent: 1, dropped: 0 });
  });

  test("tries again while the collector is busy, and gives up what it refuses, with one warning for an outage", async () => {
    const exporter = open();
    statuses = [503, 429];
    exporter.record(spanNamed("kept"));
    await exporter.close();
    assert.deepEqual([received.length, exporter.counts], [3, { sent: 1, dropped: 0 }]);

    const refused = open();
    statuses = [400, 400, 400];
    await refused.sendMetrics([], 2_000);
    await refused.sendMetrics([], 3_000);
    refused.record(spanNamed("refused"));
    await refused.close();
    assert.deepEqual(refused.counts, { sent: 0, dropped: 1 });
    assert.deepEqual(warnings, [
      { event: "telemetry_not_sent", path: "/v1/metrics", reason: "The collector answered with 400." },
      { event: "telemetry_not_sent", path: "/v1/traces", reason: "The collector answered with 400." },
    ]);
  });

  test("keeps a bounded number of spans while the collector is slow", async () => {
    const exporter = open();
    const many = 6_000;
    for (let number = 0; number < many; number++) exporter.record(spanNamed(`${number}`));
    await exporter.close();
    const { sent, dropped } = exporter.counts;
    assert.equal(sent + dropped, many);
    // One batch was under way.
    assert.equal(dropped, many - 4_096 - 512);
    const sizes = received.map(({ body }) => JSON.stringify(body).split('"traceId"').length - 1);
    assert.ok(
      sizes.every((size) => size <= 512),
      `${sizes}`,
    );
  });

  test("sends counters as growing sums, gauges, and histograms with the counts between two bounds", async () => {
    const exporter = open();
    const bucket = (le: string | number, value: number) => ({
      value,
      labels: { le, route: "/a" },
      metricName: "h_bucket",
    });
    await exporter.sendMetrics(
      [
        { name: "c", help: "Counted.", type: "counter", values: [{ value: 4, labels: { of: "x" } }] },
        {
          name: "g",
          help: "Now.",
          type: "gauge",
          values: [
            { value: 1.5, labels: {} },
            { value: Number.NaN, labels: {} },
          ],
        },
        {
          ...{ name: "h", help: "Long.", type: "histogram" },
          values: [
            ...[bucket(0.1, 2), bucket(1, 5), bucket("+Inf", 6)],
            { value: 9.5, labels: { route: "/a" }, metricName: "h_sum" },
            { value: 6, labels: { route: "/a" }, metricName: "h_count" },
          ],
        },
        { name: "s", help: "Left out.", type: "summary", values: [] },
      ],
      2_000,
    );
    await exporter.close();
    const times = { startTimeUnixNano: "1000000000", timeUnixNano: "2000000000" };
    const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });
    assert.equal(received[0]?.path, "/v1/metrics");
    const { resourceMetrics } = received[0].body as {
      resourceMetrics: [{ scopeMetrics: [{ metrics: unknown }] }];
    };
    assert.deepEqual(resourceMetrics[0].scopeMetrics[0].metrics, [
      {
        ...{ name: "c", description: "Counted." },
        sum: {
          dataPoints: [{ ...times, attributes: [attribute("of", "x")], asDouble: 4 }],
          ...{ aggregationTemporality: 2, isMonotonic: true },
        },
      },
      {
        name: "g",
        description: "Now.",
        gauge: { dataPoints: [{ ...times, attributes: [], asDouble: 1.5 }] },
      },
      {
        ...{ name: "h", description: "Long." },
        histogram: {
          dataPoints: [
            {
              ...times,
              attributes: [attribute("route", "/a")],
              ...{ count: "6", sum: 9.5, explicitBounds: [0.1, 1], bucketCounts: ["2", "3", "1"] },
            },
          ],
          aggregationTemporality: 2,
        },
      },
    ]);
  });
});

function spanNamed(name: string, over: Partial<Span> = {}): Span {
  return {
    context: { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" },
    parentId: "00f067aa0ba902b7",
    name,
    kind: "server",
    startedAt: 1_700_000_000_000.125,
    endedAt: 1_700_000_000_004,
    attributes: {},
    error: null,
    ...over,
  };
}
