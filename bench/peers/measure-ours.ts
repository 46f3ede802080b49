/** Measures the service like a user: over HTTP, from an empty data directory, embedding included. */
import { type Api, createApi, ingestAll, type QueryView } from "../../evals/client.ts";
import type { EvaluationSet } from "../../evals/retrieval-set.ts";
import { type StartedService, startService } from "../../evals/service.ts";
import { readDiskUse } from "../process-stats.ts";
import { round } from "../report.ts";
import type { InputTexts } from "./input.ts";
import { describeWay } from "./measure-peer.ts";
import type { AdapterResult, Figures } from "./peer.ts";
import { readTreeCpuSeconds, watchPeakMiB } from "./process-tree.ts";

export type Kind = "plain" | "graph";

const MIB = 1024 ** 2;
const TOP = 10;
const POLL_MS = 100;
const MODES = { plain: ["static"], graph: ["static", "dynamic"] } as const;

export async function measureOurs(kind: Kind, set: EvaluationSet, texts: InputTexts): Promise<Figures> {
  const service = await startService({ env: { KCS_INGEST_PER_MINUTE: "0", KCS_LOG_LEVEL: "warn" } });
  const watch = watchPeakMiB(service.pid);
  try {
    const api = createApi(service.baseUrl, service.key);
    const body = { name: set.name, vector_only: kind === "plain" };
    const { project_id: project } = await api.request<{ project_id: string }>("POST", "/projects", body);
    const ingest = await ingestTexts({ service, api, project, texts });
    const ways = [];
    for (const mode of MODES[kind]) ways.push(await askAll(mode, { service, api, project, texts }));
    return {
      ingest,
      ways: ways.map((way) => describeWay(way, set, ingest.passages)),
      diskMiB: round((await readDiskUse(service.dataDir)).bytes / MIB, 1),
      peakPssMiB: await watch.stop(),
    };
  } finally {
    await watch.stop();
    await service.stop();
  }
}

interface Asked {
  readonly service: StartedService;
  readonly api: Api;
  readonly project: string;
  readonly texts: InputTexts;
}

async function ingestTexts({ service, api, project, texts }: Asked): Promise<AdapterResult["ingest"]> {
  const documents = texts.passages.map(({ id, text }) => ({ source_doc_id: id, text }));
  const cpu = await readTreeCpuSeconds(service.pid);
  const began = performance.now();
  const jobs = await ingestAll(api, project, documents, { pollMs: POLL_MS });
  const failed = jobs.find(({ status }) => status !== "completed");
  if (failed !== undefined) throw new Error(`An ingest failed: ${failed.error_message}`);
  return {
    passages: jobs.length,
    seconds: round((performance.now() - began) / 1_000),
    cpuSeconds: round((await readTreeCpuSeconds(service.pid)) - cpu),
  };
}

async function askAll(
  mode: "static" | "dynamic",
  { service, api, project, texts }: Asked,
): Promise<AdapterResult["ways"][number]> {
  const ask = async (query: string) => {
    const body = { query, mode, top_k: TOP, include: ["provenance"] };
    const { results } = await api.request<QueryView>("POST", `/projects/${project}/query`, body);
    return results.chunks.map((chunk) => chunk.source_doc_id ?? "");
  };
  for (const { text } of texts.warm) await ask(text);
  const cpu = await readTreeCpuSeconds(service.pid);
  const timesMs: number[] = [];
  const ranked: Record<string, readonly string[]> = {};
  for (const { id, text } of texts.questions) {
    const began = performance.now();
    const ids = await ask(text);
    timesMs.push(performance.now() - began);
    ranked[id] = [...new Set(ids)];
  }
  const cpuSeconds = (await readTreeCpuSeconds(service.pid)) - cpu;
  return { way: mode, timesMs, cpuSeconds, ranked };
}
