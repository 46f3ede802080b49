/**
 * Measures the start-up time of the service and its memory at rest, with an empty and with a filled data directory.
 *
 *   node bench/start.ts FOLDER [RESULT.json] [--characters 2000000] [--rounds 5] [--short]
 *
 * FOLDER contains *.jsonl files of {_id, title, text}. With `--short` the service counts as at rest after 10 seconds
 * instead of 60.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createApi, ingestAll, type NewDocument } from "../evals/client.ts";
import { type StartedService, startService } from "../evals/service.ts";
import { readDocuments } from "./documents.ts";
import { createProject, timeFirstAnswer, timeKnownAnswer } from "./first-answer.ts";
import { readTreePssMiB } from "./peers/process-tree.ts";
import { makeQuestions } from "./questions.ts";
import { describeMachine, publish, quantile, round } from "./report.ts";

const REST_MS = { whole: 60_000, short: 10_000 } as const;

interface Start {
  readonly healthSeconds: number;
  readonly readySeconds: number;
  readonly firstAnswerSeconds: number;
}

function startOf(service: StartedService, firstAnswerSeconds: number): Start {
  return {
    healthSeconds: round(service.healthMs / 1000),
    readySeconds: round(service.startMs / 1000),
    firstAnswerSeconds,
  };
}

/** Each start has a new data directory, so that it creates model, secrets, schema and owner. */
async function startEmpty(): Promise<Start> {
  const service = await startService();
  try {
    return startOf(service, await timeFirstAnswer(service, createApi(service.baseUrl, service.key)));
  } finally {
    await service.stop();
  }
}

interface Filled {
  readonly dataDir: string;
  readonly key: string;
  readonly projectId: string;
  readonly question: string;
}

async function startFilled(filled: Filled): Promise<Start> {
  const service = await startService(filled);
  const start = startOf(
    service,
    await timeKnownAnswer(service, createApi(service.baseUrl, service.key), filled),
  );
  await service.kill("SIGTERM");
  return start;
}

/** Memory at rest before any use, after an ingest and after one question, and restarts with the filled data directory. */
async function measureFilled(documents: readonly NewDocument[], options: { rounds: number; restMs: number }) {
  const service = await startService();
  try {
    await sleep(options.restMs);
    const neverUsed = await readTreePssMiB(service.pid);
    const api = createApi(service.baseUrl, service.key);
    const projectId = await createProject(api, "filled");
    const jobs = await ingestAll(api, projectId, documents);
    const busy = await readTreePssMiB(service.pid);
    await sleep(options.restMs);
    const afterIngest = await readTreePssMiB(service.pid);
    await service.kill("SIGTERM");
    const question = makeQuestions(documents, { count: 1, seed: 1 })[0]?.text ?? "";
    const filled = { dataDir: service.dataDir, key: service.key, projectId, question };
    const starts: Start[] = [];
    for (let round = 0; round < options.rounds; round++) starts.push(await startFilled(filled));
    const afterQuestion = await restAfterQuestion(filled, options.restMs);
    const chunks = jobs.reduce((sum, job) => sum + job.chunks_processed, 0);
    return { chunks, starts, pssMiB: { neverUsed, endOfIngest: busy, afterIngest, afterQuestion } };
  } finally {
    await service.stop();
  }
}

async function restAfterQuestion(filled: Filled, restMs: number): Promise<number> {
  const service = await startService(filled);
  await timeKnownAnswer(service, createApi(service.baseUrl, service.key), filled);
  await sleep(restMs);
  const pssMiB = await readTreePssMiB(service.pid);
  await service.kill("SIGTERM");
  return pssMiB;
}

function medians(starts: readonly Start[]): Start {
  const median = (pick: (start: Start) => number) => quantile(starts.map(pick), 0.5);
  return {
    healthSeconds: median((start) => start.healthSeconds),
    readySeconds: median((start) => start.readySeconds),
    firstAnswerSeconds: median((start) => start.firstAnswerSeconds),
  };
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      characters: { type: "string", default: "2000000" },
      rounds: { type: "string", default: "5" },
      short: { type: "boolean", default: false },
    },
  });
  const [folder, resultFile] = positionals;
  if (folder === undefined) throw new Error("Usage: node bench/start.ts FOLDER [RESULT.json]");
  const machine = describeMachine();
  const { documents, characters, sha256 } = await readDocuments(folder, Number(values.characters));
  const rounds = Number(values.rounds);
  const restMs = values.short ? REST_MS.short : REST_MS.whole;
  const empty: Start[] = [];
  for (let round = 0; round < rounds; round++) empty.push(await startEmpty());
  const filled = await measureFilled(documents, { rounds, restMs });
  const result = {
    empty: medians(empty),
    filled: { chunks: filled.chunks, ...medians(filled.starts) },
    restSeconds: restMs / 1000,
    pssMiB: filled.pssMiB,
    rounds: { empty, filled: filled.starts },
  };
  const command = `node bench/start.ts FOLDER --characters ${values.characters} --rounds ${rounds}${values.short ? " --short" : ""}`;
  await publish(
    { command, data: { documents: documents.length, characters, sha256 }, machine, result },
    resultFile,
  );
}

await main();
