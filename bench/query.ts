/**
 * Questions over HTTP in the default configuration, beside the embedding of the same question alone.
 *
 *   node bench/query.ts FOLDER [RESULT.json] [--characters 3000000] [--questions 300]
 *
 * FOLDER holds *.jsonl files of {_id, title, text}. In turn: a question to the service, the same one to the bare
 * embedder in this process. Then eight clients at once, and one client while another project is ingested.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Api, createApi, ingestAll, type NewDocument } from "../evals/client.ts";
import { startService } from "../evals/service.ts";
import { openMiniLm } from "../packages/minilm/src/index.ts";
import { readDocuments } from "./documents.ts";
import { ask, createProject } from "./first-answer.ts";
import { readMemory } from "./process-stats.ts";
import { makeQuestions } from "./questions.ts";
import { describeMachine, publish, quantile, round } from "./report.ts";

const CLIENTS = 8;
const WARM_UP = 20;
const SEED = 7;
const MIB = 1024 ** 2;

interface Asked {
  readonly api: Api;
  readonly projectId: string;
  readonly questions: readonly string[];
}

async function timeMs(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function describe(milliseconds: readonly number[]) {
  return {
    p50Ms: round(quantile(milliseconds, 0.5)),
    p95Ms: round(quantile(milliseconds, 0.95)),
    maxMs: round(Math.max(...milliseconds)),
    questions: milliseconds.length,
  };
}

/** One client; each question is embedded alone right after it was answered. */
async function askBesideEmbedder({ api, projectId, questions }: Asked) {
  const cacheDir = await mkdtemp(join(tmpdir(), "kcs-bench-model-"));
  const model = await openMiniLm({ cacheDir });
  try {
    const whole: number[] = [];
    const alone: number[] = [];
    for (const [at, question] of questions.entries()) {
      const answered = await timeMs(() => ask(api, projectId, question));
      const embedded = await timeMs(() => model.embed(question));
      if (at < WARM_UP) continue;
      whole.push(answered);
      alone.push(embedded);
    }
    return { query: describe(whole), embeddingAlone: describe(alone) };
  } finally {
    await model.close();
    await rm(cacheDir, { recursive: true, force: true });
  }
}

async function askWithManyClients({ api, projectId, questions }: Asked) {
  const waiting = [...questions];
  const milliseconds: number[] = [];
  const client = async () => {
    for (let question = waiting.pop(); question !== undefined; question = waiting.pop()) {
      const text = question;
      milliseconds.push(await timeMs(() => ask(api, projectId, text)));
    }
  };
  const seconds = (await timeMs(() => Promise.all(Array.from({ length: CLIENTS }, client)))) / 1000;
  return { clients: CLIENTS, queriesPerSecond: round(questions.length / seconds), ...describe(milliseconds) };
}

/** One client for as long as the ingest into another project takes. */
async function askWhileIngesting({ api, projectId, questions }: Asked, documents: readonly NewDocument[]) {
  const other = await createProject(api, "ingested meanwhile");
  let over = false;
  const ingesting = ingestAll(api, other, documents).finally(() => {
    over = true;
  });
  const milliseconds: number[] = [];
  // A fast machine goes round the questions more than once.
  for (let at = 0; !over; at++)
    milliseconds.push(await timeMs(() => ask(api, projectId, questions[at % questions.length] ?? "")));
  await ingesting;
  return describe(milliseconds);
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      characters: { type: "string", default: "3000000" },
      questions: { type: "string", default: "300" },
    },
  });
  const [folder, resultFile] = positionals;
  if (folder === undefined) throw new Error("Usage: node bench/query.ts FOLDER [RESULT.json]");
  const machine = describeMachine();
  const { documents, characters, sha256 } = await readDocuments(folder, Number(values.characters));
  const service = await startService();
  try {
    const api = createApi(service.baseUrl, service.key);
    const projectId = await createProject(api, "query");
    const jobs = await ingestAll(api, projectId, documents);
    const asked = { api, projectId, questions: makeQuestions(documents, Number(values.questions), SEED) };
    const oneClient = await askBesideEmbedder(asked);
    const manyClients = await askWithManyClients(asked);
    // A third of the documents keeps the service ingesting for long enough.
    const whileIngesting = await askWhileIngesting(
      asked,
      documents.slice(0, Math.ceil(documents.length / 3)),
    );
    const memory = await readMemory(service.pid);
    const result = {
      chunks: jobs.reduce((sum, job) => sum + job.chunks_processed, 0),
      oneClient,
      queryOverEmbedding: round(oneClient.query.p50Ms / oneClient.embeddingAlone.p50Ms),
      manyClients,
      whileIngesting,
      ingestingOverIdle: round(whileIngesting.p50Ms / oneClient.query.p50Ms),
      rssMiB: memory === null ? null : round(memory.rssBytes / MIB, 0),
    };
    const command = `node bench/query.ts FOLDER --characters ${values.characters} --questions ${values.questions}`;
    const data = { documents: documents.length, characters, sha256, questionSeed: SEED };
    await publish({ command, data, machine, result }, resultFile);
  } finally {
    await service.stop();
  }
}

await main();
