/**
 * Ingestion over HTTP in the default configuration, beside the embedder alone on the same chunks in the same run.
 *
 *   node bench/ingest.ts FOLDER [RESULT.json] [--characters 4000000] [--rounds 6]
 *
 * FOLDER holds *.jsonl files of {_id, title, text}. The documents are cut into rounds; in each the service and the
 * bare embedder take the same part one after the other, in turns as to who is first, so that noise hits both.
 */
import { parseArgs } from "node:util";
import { type Api, createApi, ingestAll, type NewDocument } from "../evals/client.ts";
import { type StartedService, startService } from "../evals/service.ts";
import { chunkTexts, readDocuments, sliceDocuments } from "./documents.ts";
import { type Embedders, startEmbedders } from "./embed-alone.ts";
import { createProject, timeFirstAnswer } from "./first-answer.ts";
import { readCpuSeconds, readDiskUse, readMemory } from "./process-stats.ts";
import { describeMachine, publish, quantile, round } from "./report.ts";

const MIB = 1024 ** 2;

interface Round {
  readonly documents: number;
  readonly chunks: number;
  readonly tokens: number;
  readonly service: Times;
  readonly embedder: Times;
}

interface Times {
  readonly seconds: number;
  /** Of all processors together. */
  readonly cpuSeconds: number;
}

interface Measured {
  readonly pid: number;
  readonly api: Api;
  readonly projectId: string;
  readonly embedders: Embedders;
}

/** Seconds from the request to the end of the last job, by the service's own clock, which is this machine's. */
async function timeIngest(
  { api, projectId }: Measured,
  documents: readonly NewDocument[],
): Promise<{ seconds: number; chunks: number }> {
  const began = Date.now();
  const jobs = await ingestAll(api, projectId, documents);
  const failed = jobs.find((job) => job.status === "failed");
  if (failed !== undefined) throw new Error(`A job failed: ${failed.error_message}`);
  const ended = Math.max(...jobs.map((job) => Date.parse(job.completed_at ?? "")));
  return {
    seconds: (ended - began) / 1000,
    chunks: jobs.reduce((sum, job) => sum + job.chunks_processed, 0),
  };
}

async function timeEmbedder({ embedders }: Measured, texts: readonly string[]): Promise<Times> {
  const before = process.cpuUsage();
  const seconds = await embedders.embedAll(texts);
  const { user, system } = process.cpuUsage(before);
  return { seconds, cpuSeconds: (user + system) / 1e6 };
}

async function runRound(measured: Measured, documents: readonly NewDocument[], at: number): Promise<Round> {
  const { texts, tokens } = await chunkTexts(documents);
  const embedderFirst = at % 2 === 0 ? null : await timeEmbedder(measured, texts);
  const cpuBefore = (await readCpuSeconds(measured.pid)) ?? Number.NaN;
  const { seconds, chunks } = await timeIngest(measured, documents);
  const cpuSeconds = ((await readCpuSeconds(measured.pid)) ?? Number.NaN) - cpuBefore;
  if (chunks !== texts.length)
    throw new Error(`The service made ${chunks} chunks where ${texts.length} were expected.`);
  return {
    documents: documents.length,
    chunks,
    tokens,
    service: { seconds, cpuSeconds },
    embedder: embedderFirst ?? (await timeEmbedder(measured, texts)),
  };
}

function summarize(rounds: readonly Round[]) {
  const sum = (pick: (round: Round) => number) => rounds.reduce((total, each) => total + pick(each), 0);
  const seconds = sum((each) => each.service.seconds);
  const cpuSeconds = sum((each) => each.service.cpuSeconds);
  const chunks = sum((each) => each.chunks);
  const ratios = rounds.map((each) => each.embedder.seconds / each.service.seconds);
  return {
    documents: sum((each) => each.documents),
    chunks,
    tokens: sum((each) => each.tokens),
    seconds: round(seconds),
    documentsPerSecond: round(sum((each) => each.documents) / seconds),
    chunksPerSecond: round(chunks / seconds),
    tokensPerSecond: round(sum((each) => each.tokens) / seconds, 0),
    embedderAloneChunksPerSecond: round(chunks / sum((each) => each.embedder.seconds)),
    ratio: round(sum((each) => each.embedder.seconds) / seconds, 3),
    ratioOfRounds: { median: round(quantile(ratios, 0.5), 3), all: ratios.map((each) => round(each, 3)) },
    cpuRatio: round(sum((each) => each.embedder.cpuSeconds) / cpuSeconds, 3),
    cpuMsPerChunk: round((1000 * cpuSeconds) / chunks),
  };
}

async function measureSize(service: StartedService, chunks: number) {
  const memory = await readMemory(service.pid);
  const running = await readDiskUse(service.dataDir);
  await service.kill("SIGTERM");
  const stopped = await readDiskUse(service.dataDir);
  return {
    peakRssMiB: memory === null ? null : round(memory.peakRssBytes / MIB, 0),
    diskMiB: round(running.bytes / MIB, 1),
    ofItWriteAheadLogMiB: round(running.walBytes / MIB, 1),
    diskBytesPerChunkAfterStop: round(stopped.bytes / chunks, 0),
  };
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      characters: { type: "string", default: "4000000" },
      rounds: { type: "string", default: "6" },
    },
  });
  const [folder, resultFile] = positionals;
  if (folder === undefined) throw new Error("Usage: node bench/ingest.ts FOLDER [RESULT.json]");
  const machine = describeMachine();
  const { documents, characters, sha256 } = await readDocuments(folder, Number(values.characters));
  const service = await startService();
  const embedders = await startEmbedders();
  try {
    const api = createApi(service.baseUrl, service.key);
    const firstAnswerSeconds = await timeFirstAnswer(service, api);
    const projectId = await createProject(api, "ingest");
    const rounds: Round[] = [];
    for (const [at, slice] of sliceDocuments(documents, Number(values.rounds)).entries())
      rounds.push(await runRound({ api, pid: service.pid, projectId, embedders }, slice, at));
    const figures = summarize(rounds);
    const result = {
      ...figures,
      threads: embedders.threads,
      firstAnswerSeconds,
      ...(await measureSize(service, figures.chunks)),
      rounds,
    };
    const command = `node bench/ingest.ts FOLDER --characters ${values.characters} --rounds ${values.rounds}`;
    const data = { documents: documents.length, characters, sha256 };
    await publish({ command, data, machine, result }, resultFile);
  } finally {
    await embedders.stop();
    await service.stop();
  }
}

await main();
