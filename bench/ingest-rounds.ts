/** Rounds in which the service and the embedder alone process the same documents one after the other. */
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
  /** Sum over all processors. */
  readonly cpuSeconds: number;
}

export interface RoundSetup {
  readonly pid: number;
  readonly api: Api;
  readonly projectId: string;
  readonly embedders: Embedders;
}

/** Seconds from the request to the end of the last job. The service's clock is that of this machine. */
export async function timeIngest(
  { api, projectId }: Pick<RoundSetup, "api" | "projectId">,
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

async function timeEmbedder({ embedders }: RoundSetup, texts: readonly string[]): Promise<Times> {
  const before = process.cpuUsage();
  const seconds = await embedders.embedAll(texts);
  const { user, system } = process.cpuUsage(before);
  return { seconds, cpuSeconds: (user + system) / 1e6 };
}

/** The embedder runs first in every second round. @throws Error when the service makes a different number of chunks */
export async function runRound(
  setup: RoundSetup,
  documents: readonly NewDocument[],
  at: number,
): Promise<Round> {
  const { texts, tokens } = await chunkTexts(documents);
  const embedderFirst = at % 2 === 0 ? null : await timeEmbedder(setup, texts);
  const cpuBefore = (await readCpuSeconds(setup.pid)) ?? Number.NaN;
  const { seconds, chunks } = await timeIngest(setup, documents);
  const cpuSeconds = ((await readCpuSeconds(setup.pid)) ?? Number.NaN) - cpuBefore;
  if (chunks !== texts.length)
    throw new Error(`The service made ${chunks} chunks, expected ${texts.length}.`);
  return {
    documents: documents.length,
    chunks,
    tokens,
    service: { seconds, cpuSeconds },
    embedder: embedderFirst ?? (await timeEmbedder(setup, texts)),
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
