/** The settings of OpenTelemetry, under the names of its specification. */
import type { OtlpSettings } from "./adapters/telemetry/otlp-exporter.ts";
import type { GroupReader } from "./config-provider.ts";

export interface TelemetrySettings extends OtlpSettings {
  readonly serviceName: string;
  /** Of the traces that begin here, how many are recorded: from 0 to 1. */
  readonly ratio: number;
}

const ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";
const HEADERS = "OTEL_EXPORTER_OTLP_HEADERS";
const PROTOCOL = "OTEL_EXPORTER_OTLP_PROTOCOL";
const RATIO = "OTEL_TRACES_SAMPLER_ARG";
const MAX_HEADERS = 32;
const NAME = /^[\w!#$%&'*+.^`|~-]{1,128}$/;
const VALUE = /^[\x20-\x7e]{1,4096}$/;

/** null without an endpoint: nothing is recorded. */
export function readTelemetry(
  read: GroupReader & {
    text(name: string, fallback: string): string;
    address(name: string, fallback: string): string;
    isOn(name: string): boolean;
  },
): TelemetrySettings | null {
  if (read.optionalText(ENDPOINT) === null || read.isOn("OTEL_SDK_DISABLED")) return null;
  if (read.optionalText(PROTOCOL) === "grpc")
    read.fault(PROTOCOL, "grpc is not supported: name the collector's port for HTTP, which is usually 4318");
  return Object.freeze({
    endpoint: read.address(ENDPOINT, ""),
    headers: readHeaders(read),
    serviceName: read.text("OTEL_SERVICE_NAME", "knowledge-context-service").slice(0, 255),
    ratio: readRatio(read),
  });
}

/** "name=value,name2=value2", in which a value may be percent-encoded. Values are secrets. */
function readHeaders(read: GroupReader): Readonly<Record<string, string>> {
  const pairs = (read.optionalText(HEADERS) ?? "").split(",").map((pair) => pair.trim());
  const given = pairs.filter((pair) => pair !== "");
  const headers = given.slice(0, MAX_HEADERS).flatMap((pair) => {
    const at = pair.indexOf("=");
    const [name, value] = [pair.slice(0, Math.max(0, at)).trim(), decoded(pair.slice(at + 1).trim())];
    return NAME.test(name) && VALUE.test(value) ? [[name.toLowerCase(), value] as const] : [];
  });
  if (headers.length < given.length)
    read.fault(HEADERS, `expected at most ${MAX_HEADERS} headers like authorization=secret,name=value`);
  return Object.fromEntries(headers);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function readRatio(read: GroupReader): number {
  const text = read.optionalText(RATIO);
  if (text === null) return 1;
  const ratio = /^(?:\d{1,3}|\d?\.\d{1,9})$/.test(text) ? Number(text) : Number.NaN;
  if (ratio <= 1) return ratio;
  read.fault(RATIO, `got "${text}", expected a number from 0 to 1`);
  return 1;
}
