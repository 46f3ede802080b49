import assert from "node:assert/strict";
import { test } from "node:test";
import { ConfigError, loadConfig } from "./config.ts";

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318/" };

test("an endpoint is enough for telemetry, and without one nothing is recorded", () => {
  assert.deepEqual(loadConfig(ENDPOINT).telemetry, {
    endpoint: "http://collector:4318",
    headers: {},
    serviceName: "knowledge-context-service",
    ratio: 1,
  });
  assert.equal(loadConfig({ OTEL_SERVICE_NAME: "named" }).telemetry, null);
  assert.equal(loadConfig({ ...ENDPOINT, OTEL_SDK_DISABLED: "true" }).telemetry, null);
});

test("headers may be percent-encoded, and a part of the traces be recorded", () => {
  const { telemetry } = loadConfig({
    ...ENDPOINT,
    OTEL_EXPORTER_OTLP_HEADERS: "Authorization=Basic%20abc=, x-scope = one",
    OTEL_TRACES_SAMPLER_ARG: "0.25",
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
  });
  assert.deepEqual(telemetry?.headers, { authorization: "Basic abc=", "x-scope": "one" });
  assert.equal(telemetry?.ratio, 0.25);
});

for (const [name, value, expected] of [
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318", /expected an address/],
  ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", /usually 4318/],
  ["OTEL_EXPORTER_OTLP_HEADERS", "no-value", /expected at most 32 headers/],
  ["OTEL_EXPORTER_OTLP_HEADERS", "a=b\u0001", /expected at most 32 headers/],
  ["OTEL_TRACES_SAMPLER_ARG", "1.5", /from 0 to 1/],
  ["OTEL_TRACES_SAMPLER_ARG", "some", /from 0 to 1/],
] as const)
  test(`${name}=${JSON.stringify(value)} is a fault`, () => {
    assert.throws(
      () => loadConfig({ ...ENDPOINT, [name]: value }),
      (error: unknown) => error instanceof ConfigError && expected.test(error.faults.join("\n")),
    );
  });
