/**
 * Sends hostile bodies to every endpoint that takes one, and measures how long each holds the service's main thread.
 *
 *   node bench/hostile-bodies.ts [RESULT.json] [--ingest-bytes 62914560] [--only TEXT]
 *
 * Exits with 1 when a body held the thread for more than the limit, or was answered with a status of 500 or not at all. `--only` takes the
 * endpoints whose path contains the text.
 */
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { createApi } from "../evals/client.ts";
import { type StartedService, startService } from "../evals/service.ts";
import { createProject } from "./first-answer.ts";
import { type HostileEndpoint, hostileEndpoints } from "./hostile-bodies/endpoints.ts";
import { type Probe, prepareProbe } from "./hostile-bodies/open-probe.ts";
import { type HostileRequest, send } from "./hostile-bodies/send.ts";
import { fullOntology, SHAPES } from "./hostile-bodies/shapes.ts";
import { describeMachine, publish, quantile, round } from "./report.ts";

const LIMIT_CPU_MS = 50;
const TRIES = 3;
const KIB = 1024;
/** Bodies of up to 128 KiB with few values are read by the main thread. */
const SMALL_BYTES = [15 * KIB, 31 * KIB, 127 * KIB] as const;
const SHOWN = 3;

interface Sample {
  readonly path: string;
  readonly body: string;
  readonly shape: string;
  readonly bytes: number;
  /** 0: the connection was closed without a response. */
  readonly status: number;
  readonly cpuMs: number;
  readonly delayMs: number;
  readonly answerMs: number;
}

/**
 * A request over the limit is sent again: the collection of the garbage of earlier requests, and the machine's other work, fall
 * on any request. It counts as over the limit when each of three is; all that were go to `overOnce`.
 */
function createMeasure(service: StartedService, probe: Probe, overOnce: Sample[]) {
  return async (about: Pick<Sample, "path" | "body" | "shape">, sent: HostileRequest): Promise<Sample> => {
    for (let left = TRIES - 1; ; left--) {
      const sample = await measureOnce(about, sent);
      if (sample.cpuMs <= LIMIT_CPU_MS || left === 0) return sample;
      overOnce.push(sample);
    }
  };

  async function measureOnce(about: Pick<Sample, "path" | "body" | "shape">, sent: HostileRequest) {
    await probe.read();
    const began = performance.now();
    const status = await send(service, about.path, sent);
    const answerMs = round(performance.now() - began, 0);
    const { cpuMs, delayMs } = await probe.read();
    return {
      ...about,
      bytes: sent.body?.length ?? 0,
      status,
      cpuMs: round(cpuMs, 1),
      delayMs: round(delayMs, 1),
      answerMs,
    };
  }
}

type Measure = ReturnType<typeof createMeasure>;

async function measureEndpoint(endpoint: HostileEndpoint, measure: Measure): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  const { contentType, method = "POST" } = endpoint;
  const headers: Record<string, string> = contentType === undefined ? {} : { "content-type": contentType };
  const sizes = [...SMALL_BYTES.filter((size) => size < endpoint.limitBytes), endpoint.limitBytes - KIB];
  for (const size of sizes) {
    for (const [shape, make] of Object.entries({ ...SHAPES, ...endpoint.shapes })) {
      const value = make(size);
      for (const body of endpoint.bodies) {
        const bytes = Buffer.from(body.replace("@", () => value));
        samples.push(await measure({ path: endpoint.path, body, shape }, { method, body: bytes, headers }));
      }
    }
  }
  const about = { path: endpoint.path, body: "@", shape: "a byte in each HTTP chunk" };
  const body = Buffer.alloc(Math.min(endpoint.limitBytes, 1024 * KIB) - 1, "7");
  samples.push(await measure(about, { method, body, headers, isByteByByte: true }));
  return samples;
}

const HEADERS = [
  "accept-encoding",
  "authorization",
  "content-type",
  "cookie",
  "idempotency-key",
  "if-none-match",
  "last-event-id",
  "origin",
  "x-forwarded-for",
  "x-request-id",
] as const;

/** Long query strings and headers; the server refuses more than 16 KiB of them together. */
async function measureHeads(projectId: string, measure: Measure): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  const path = `/api/v1/projects/${projectId}/documents`;
  const length = 14 * KIB;
  for (const unit of [",", ";", "=", "&", "&a=", "[", "a,", "%20", "%", "a;q=0,", '"', "/"]) {
    const text = unit.repeat(length / unit.length);
    const query = `?search=${text}`;
    samples.push(await measure({ path, body: unit, shape: "query string" }, { method: "GET", query }));
    for (const name of HEADERS) {
      const shape = `header ${name}`;
      samples.push(await measure({ path, body: unit, shape }, { method: "GET", headers: { [name]: text } }));
    }
  }
  return samples;
}

/** A valid ontology as large as it may be, and what is read of it afterwards. */
async function measureFullOntology(api: ReturnType<typeof createApi>, measure: Measure) {
  const samples: Sample[] = [];
  const shape = "valid ontology";
  const newest = async <Name extends "ontologies" | "projects">(list: Name) =>
    (await api.request<Record<Name, { id?: string; project_id?: string }[]>>("GET", `/${list}?limit=1`))[
      list
    ][0];
  for (const size of [...SMALL_BYTES, 4 * KIB * KIB - 2 * KIB]) {
    const bytes = Buffer.from(`{"name":"full","schema":${fullOntology(size)}}`);
    for (const path of ["/api/v1/ontologies/lint", "/api/v1/ontologies"]) {
      samples.push(await measure({ path, body: '{"name":"full","schema":@}', shape }, { body: bytes }));
    }
  }
  const ontologyId = (await newest("ontologies"))?.id ?? "";
  const project = Buffer.from(JSON.stringify({ name: "full", ontology_id: ontologyId }));
  const create = { path: "/api/v1/projects", body: '{"name":"full","ontology_id":@}', shape };
  samples.push(await measure(create, { body: project }));
  const projectId = (await newest("projects"))?.project_id ?? "";
  for (const path of [
    `ontologies/${ontologyId}`,
    `projects/${projectId}`,
    `projects/${projectId}/graph/fit`,
  ]) {
    const about = { path: `/api/v1/${path}`, body: "", shape };
    samples.push(await measure(about, { method: "GET" }));
  }
  return samples;
}

/** Valid batches as large as they may be. The service is stopped before it has ingested them. */
async function measureFullBatches(projectId: string, measure: Measure): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  const path = `/api/v1/projects/${projectId}/ingest/batch`;
  for (const count of [6, 1000]) {
    const text = "The lamp of Skarvik was lit in 1871. ".repeat((59 * KIB * KIB) / 37 / count);
    const documents = Array.from({ length: count }, (_, at) => ({ text, source_doc_id: `full ${at}` }));
    const about = { path, body: '{"documents":@}', shape: `valid batch of ${count}` };
    samples.push(await measure(about, { body: Buffer.from(JSON.stringify({ documents })) }));
  }
  return samples;
}

function summarize(samples: readonly Sample[]) {
  const byCpu = samples.toSorted((one, other) => other.cpuMs - one.cpuMs);
  const statuses = Object.entries(Object.groupBy(samples, ({ status }) => status)).map(
    ([status, group]) => [status, group?.length ?? 0] as const,
  );
  return {
    bodies: samples.length,
    statuses: Object.fromEntries(statuses),
    cpuMs: {
      max: byCpu[0]?.cpuMs ?? 0,
      p99: quantile(
        samples.map(({ cpuMs }) => cpuMs),
        0.99,
      ),
    },
    longest: byCpu.slice(0, SHOWN),
  };
}

function withoutIds(text: string): string {
  return text.replace(/(prj|ont)_[0-9a-f]{32}/, "{$1}");
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      "ingest-bytes": { type: "string", default: String(60 * KIB * KIB) },
      only: { type: "string", default: "" },
    },
  });
  const machine = describeMachine();
  const probe = prepareProbe();
  const service = await startService({ env: { ...probe.env, KCS_INGEST_PER_MINUTE: "0" } });
  try {
    const api = createApi(service.baseUrl, service.key);
    const projectId = await createProject(api, "hostile");
    const overOnce: Sample[] = [];
    const measure = createMeasure(service, probe.open(service.pid), overOnce);
    const endpoints = hostileEndpoints(projectId, { ingestLimit: Number(values["ingest-bytes"]) });
    const samples: Sample[] = [];
    // The first request loads the protocol's library.
    await send(service, "/mcp", { body: Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}') });
    for (const endpoint of endpoints.filter(({ path }) => path.includes(values.only))) {
      const measured = await measureEndpoint(endpoint, measure);
      process.stderr.write(`${endpoint.path} ${JSON.stringify(summarize(measured).longest[0])}\n`);
      samples.push(...measured);
    }
    samples.push(...(await measureHeads(projectId, measure)), ...(await measureFullOntology(api, measure)));
    samples.push(...(await measureFullBatches(projectId, measure)));
    const over = samples.filter(({ cpuMs }) => cpuMs > LIMIT_CPU_MS);
    const failed = samples.filter(({ status }) => status === 0 || status === 500);
    const anonymous = ({ path, body, ...sample }: Sample) => ({
      path: withoutIds(path),
      body: withoutIds(body),
      ...sample,
    });
    const groups = Object.entries(Object.groupBy(samples.map(anonymous), ({ path }) => path));
    const result = {
      limitCpuMs: LIMIT_CPU_MS,
      loadAfter: round(loadavg()[0] ?? 0),
      over: over.map(anonymous),
      overOnce: overOnce.map(anonymous),
      failed: failed.map(anonymous),
      all: summarize(samples.map(anonymous)),
      byEndpoint: Object.fromEntries(groups.map(([path, group]) => [path, summarize(group ?? [])])),
    };
    const command = `node bench/hostile-bodies.ts --ingest-bytes ${values["ingest-bytes"]}`;
    await publish({ command, data: { shapes: Object.keys(SHAPES).length }, machine, result }, positionals[0]);
    if (over.length + failed.length > 0) process.exitCode = 1;
  } finally {
    await service.stop();
  }
}

await main();
