/**
 * Extraction with a language model, end to end over HTTP, with recorded replies:
 *
 *   node evals/language-model/run.ts FOLDER [RESULT.json] [TOKENIZER]
 *
 * FOLDER is in the BEIR layout with recorded replies beside it (openie.jsonl: a line a passage with entities and triples). A local
 * server of the OpenAI protocol answers with them, as slowly as a model would. Ingests all passages into a project with the model,
 * into another with it, which is to cost no call, and into one of a service without a model; asks the first and the last all questions.
 *
 * Tokens are counted by TOKENIZER, a module that exports countTokens(text): the file encoding/o200k_base.js of the package gpt-tokenizer.
 * Without one a token is four characters.
 */
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { availableParallelism, loadavg } from "node:os";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createApi, ingestAll, type JobView, type QueryView } from "../client.ts";
import { type EvaluationSet, readSet } from "../graph-ranking/sets.ts";
import { ndcg, recall } from "../metrics.ts";
import { type StartedService, startService } from "../service.ts";
import { type Latency, type ServedCounts, startRecordedServer } from "./model-server.ts";
import { readRecorded } from "./recorded-replies.ts";

/** A hosted model of middle size. */
const LATENCY: Latency = { firstTokenMs: 400, msPerToken: 12 };
const CONCURRENCY = 16;
/** Each look lists all jobs, which is not what is measured. */
const POLL_MS = 1_000;
const DEPTH = 100;
const CHARACTERS_PER_TOKEN = 4;

interface GraphJobView extends JobView {
  readonly nodes_created: number;
  readonly edges_created: number;
}

async function ingest(service: StartedService, set: EvaluationSet, name: string) {
  const api = createApi(service.baseUrl, service.key);
  const project = await api.request<{ project_id: string; config: { extraction: string } }>(
    "POST",
    "/projects",
    {
      name,
    },
  );
  const documents = set.documents.map(({ id, text }) => ({ source_doc_id: id, text }));
  const cpuBefore = await cpuSecondsOf(service.pid);
  const began = performance.now();
  const jobs = (await ingestAll(api, project.project_id, documents, { pollMs: POLL_MS })) as GraphJobView[]; // The same answer.
  const seconds = (performance.now() - began) / 1000;
  const cpuSeconds = (await cpuSecondsOf(service.pid)) - cpuBefore;
  const sum = (of: (job: GraphJobView) => number) => jobs.reduce((total, job) => total + of(job), 0);
  const failed = jobs.filter(({ status }) => status === "failed");
  return {
    projectId: project.project_id,
    extraction: project.config.extraction,
    jobs: jobs.length,
    failed: failed.length,
    ...(failed[0] === undefined ? {} : { firstFailure: failed[0].error_message }),
    chunks: sum((job) => job.chunks_processed),
    nodes: sum((job) => job.nodes_created),
    edges: sum((job) => job.edges_created),
    seconds: round(seconds, 1),
    passagesPerSecond: round(jobs.length / seconds, 1),
    cpuSeconds: round(cpuSeconds, 1),
  };
}

/** All threads of a process so far, in hundredths by the kernel; NaN where there is no /proc. */
async function cpuSecondsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const [user, system] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13);
  return (Number(user) + Number(system)) / 100;
}

async function ask(service: StartedService, projectId: string, set: EvaluationSet) {
  const api = createApi(service.baseUrl, service.key);
  const sums = { recall2: 0, recall5: 0, ndcg10: 0 };
  for (const { text, relevant } of set.questions) {
    const answer = await api.request<QueryView>("POST", `/projects/${projectId}/query`, {
      query: text,
      top_k: DEPTH,
      include: ["provenance"],
    });
    const ids = [...new Set(answer.results.chunks.map((chunk) => chunk.source_doc_id ?? ""))];
    sums.recall2 += recall(ids, relevant, 2);
    sums.recall5 += recall(ids, relevant, 5);
    sums.ndcg10 += ndcg(ids, relevant, 10);
  }
  const mean = (sum: number) => round((100 * sum) / Math.max(1, set.questions.length), 1);
  return { recall2: mean(sums.recall2), recall5: mean(sums.recall5), ndcg10: mean(sums.ndcg10) };
}

/** What the calls cost, and how much longer it took than the model itself, were it always asked as often at once as it may be. */
function describe(counts: ServedCounts, corpusTokens: number, seconds: number) {
  const idealSeconds = counts.latencyMs / 1000 / CONCURRENCY;
  return {
    ...counts,
    latencyMs: Math.round(counts.latencyMs),
    spanMs: Math.round(counts.spanMs),
    meanAtOnce: round(counts.latencyMs / Math.max(1, counts.spanMs), 1),
    corpusTokens,
    tokensPerCorpusToken: round((counts.inputTokens + counts.outputTokens) / corpusTokens, 3),
    withSchemaPerCorpusToken: round(
      (counts.inputTokens + counts.outputTokens + counts.schemaTokens) / corpusTokens,
      3,
    ),
    idealSeconds: round(idealSeconds, 1),
    overhead: idealSeconds === 0 ? null : round(seconds / idealSeconds - 1, 3),
  };
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** Without a model configured. */
async function runPlain(set: EvaluationSet) {
  const service = await startService({ env: { KCS_INGEST_PER_MINUTE: "0" } });
  try {
    const ingested = await ingest(service, set, "without");
    return { ...ingested, ...(await ask(service, ingested.projectId, set)) };
  } finally {
    await service.stop();
  }
}

/** The usual estimate where there is no tokenizer. */
async function openTokenizer(file: string | undefined): Promise<(text: string) => number> {
  if (file === undefined) return (text) => Math.ceil(text.length / CHARACTERS_PER_TOKEN);
  const { countTokens } = (await import(pathToFileURL(resolve(file)).href)) as Record<string, unknown>; // Whatever it exports.
  if (typeof countTokens !== "function") throw new Error(`${file} exports no countTokens`);
  return (text) => Number(countTokens(text));
}

async function main([folder, resultFile, tokenizer]: readonly string[]): Promise<void> {
  if (folder === undefined)
    throw new Error("Usage: node evals/language-model/run.ts FOLDER [RESULT.json] [TOKENIZER]");
  const tokensOf = await openTokenizer(tokenizer);
  const set = await readSet(folder, true);
  const model = await startRecordedServer(await readRecorded(folder), { latency: LATENCY, tokensOf });
  const corpusTokens = set.documents.reduce((sum, { text }) => sum + tokensOf(text), 0);
  const env = {
    KCS_LLM_PROVIDER: "openai-compatible",
    KCS_LLM_BASE_URL: model.baseUrl,
    KCS_LLM_MODEL: "recorded",
    KCS_LLM_CONCURRENCY: String(CONCURRENCY),
    KCS_INGEST_PER_MINUTE: "0",
  };
  const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
  try {
    const service = await startService({ env });
    try {
      const first = await ingest(service, set, "both");
      const calls = describe(model.takeCounts(), corpusTokens, first.seconds);
      const both = { ...first, ...(await ask(service, first.projectId, set)), model: calls };
      say(both);
      model.takeCounts();
      const again = await ingest(service, set, "again");
      const second = { ...again, model: model.takeCounts() };
      say(second);
      await service.stop();
      const without = await runPlain(set);
      say(without);
      const report = {
        command: "node evals/language-model/run.ts FOLDER RESULT.json TOKENIZER",
        tokens: tokenizer === undefined ? "four characters" : basename(tokenizer, ".js"),
        commit: execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim(),
        date: new Date().toISOString(),
        machine: { cores: availableParallelism(), loadAverage: loadavg().map((load) => round(load, 1)) },
        set: {
          name: set.name,
          sha256: set.sha256,
          passages: set.documents.length,
          questions: set.questions.length,
        },
        latency: LATENCY,
        concurrency: CONCURRENCY,
        ...{ without, both, second },
      };
      if (resultFile !== undefined) await writeFile(resultFile, `${JSON.stringify(report, null, 2)}\n`);
    } finally {
      await service.stop();
    }
  } finally {
    await model.close();
  }
}

await main(process.argv.slice(2));
