/** Rounds in which the service and the bare embedder take the same documents one after the other. */
import { type Api, ingestAll, type NewDocument } from "../evals/client.ts";
import { chunkTexts } from "./documents.ts";
import type { Embedders } from "./embed-alone.ts";
import { readCpuSeconds } from "./process-stats.ts";
import { quantile, round } from "./report.ts";

export interface Round {
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

export interface Measured {
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

/** The embedder is first in every other round. Throws if the service made another number of chunks. */
export async function runRound(
  measured: Measured,
  documents: readonly NewDocument[],
  at: number,
): Promise<Round> {
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

export function summarizeRounds(rounds: readonly Round[]) {
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
