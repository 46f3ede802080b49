/**
 * Measures search and ingestion at scale, over HTTP in the default configuration, and compares the figures with limits.
 *
 *   node bench/scale.ts FOLDER [RESULT.json] [--chunks 10000,100000] [--questions 1000] [--keep DIR | --data DIR]
 *
 * FOLDER contains *.jsonl files of {_id, title, text}. If they have too little text, further documents are mixed from two
 * of them. `--keep` copies the filled data directory to DIR; `--data` starts from such a copy. Exits with 1 after a failed
 * answer or a wrong count; a missed limit is only reported.
 */
import { rm } from "node:fs/promises";
import { parseArgs } from "node:util";
import { createApi } from "../evals/client.ts";
import { type StartedService, startService } from "../evals/service.ts";
import { readDiskUse } from "./process-stats.ts";
import { type BenchQuestion, makeQuestions } from "./questions.ts";
import { describeMachine, publish, round } from "./report.ts";
import { type AskedProject, createFailures, type Failures } from "./scale/asking.ts";
import { measureBusy } from "./scale/busy.ts";
import { type Corpus, type CountedDocument, firstChunks, hashDocuments, openCorpus } from "./scale/corpus.ts";
import { type Filled, keepData, reuseData } from "./scale/data-directory.ts";
import { measureIdle } from "./scale/idle.ts";
import { describeIndexAlone, measureIndexAlone } from "./scale/index-alone.ts";
import { measureIngestShare } from "./scale/ingest-share.ts";
import { loadScales } from "./scale/loading.ts";
import { measureRestarts } from "./scale/restart.ts";
import { type Figures, tableOf } from "./scale/rows.ts";
import { readIndex } from "./scale/segments.ts";
import { printTable } from "./scale/table.ts";

const SEED = 7;
const USAGE =
  "Usage: node bench/scale.ts FOLDER [RESULT.json] [--chunks 10000,100000] [--questions 1000] [--keep DIR | --data DIR]";
/** Questions for the measurement without the service. */
const MAX_ALONE = 500;
/** Number of chunks ingested in each measurement under load. */
const BUSY_SHARE = { of: 25, least: 300, most: 4_000 } as const;

interface Options {
  readonly folder: string;
  readonly resultFile: string | undefined;
  readonly scales: readonly number[];
  readonly questions: number;
  readonly keep: string | undefined;
  readonly data: string | undefined;
}

function readOptions(): Options {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      chunks: { type: "string", default: "10000,100000" },
      questions: { type: "string", default: "1000" },
      keep: { type: "string" },
      data: { type: "string" },
    },
  });
  const [folder, resultFile] = positionals;
  const scales = values.chunks.split(",").map(Number);
  const questions = Number(values.questions);
  const isValid = [...scales, questions].every((count) => Number.isSafeInteger(count) && count > 0);
  if (folder === undefined || !isValid) throw new Error(USAGE);
  scales.sort((one, other) => one - other);
  return { folder, resultFile, scales, questions, keep: values.keep, data: values.data };
}

interface Run {
  readonly options: Options;
  readonly corpus: Corpus;
  /** The documents of the largest scale. */
  readonly documents: readonly CountedDocument[];
  readonly questions: readonly BenchQuestion[];
  readonly failures: Failures;
}

interface FilledService {
  readonly service: StartedService;
  readonly filled: Filled;
}

interface Start {
  readonly service: StartedService;
  /** null for an empty data directory. */
  readonly kept: Filled | null;
}

async function start({ options, documents }: Run): Promise<Start> {
  if (options.data === undefined) return { service: await startService(), kept: null };
  const { dataDir, filled } = await reuseData(options.data);
  if (filled.sha256 !== hashDocuments(documents)) {
    await rm(dataDir, { recursive: true, force: true });
    throw new Error(`${options.data} was filled with other documents: give the same FOLDER and --chunks.`);
  }
  return { service: await startService({ dataDir, key: filled.key }), kept: filled };
}

function projectsOf({ service, filled }: FilledService, failures: Failures) {
  const api = createApi(service.baseUrl, service.key);
  const [smallest] = filled.scales;
  const largest = filled.scales.at(-1);
  if (smallest === undefined || largest === undefined) throw new Error("The data directory is empty.");
  const projectOf = (projectId: string): AskedProject => ({ api, projectId, failures });
  return { smallest: projectOf(smallest.projectId), largest: projectOf(largest.projectId) };
}

/** Measures questions, then the same index without the service, then restarts, and last questions during ingestion. */
async function measure(run: Run, start: FilledService): Promise<Figures & { readonly disk: object }> {
  const { corpus, questions, failures } = run;
  const { filled } = start;
  const { dataDir, key } = start.service;
  logStep("Questions to an idle service");
  const projects = projectsOf(start, failures);
  const idle = await measureIdle({ service: start.service, ...projects, questions });
  await start.service.kill("SIGTERM");
  const disk = await measureDisk(start);
  if (run.options.keep !== undefined) await keepData(dataDir, filled, run.options.keep);
  const { projectId } = projects.largest;
  logStep("The index without the service");
  const searched = await measureIndexAlone({ dataDir, projectId, questions: questions.slice(0, MAX_ALONE) });
  logStep("Restarts");
  const { service, restarts } = await measureRestarts({ dataDir, key, projectId, questions, failures });
  try {
    logStep("Questions while ingesting");
    const { largest } = projectsOf({ service, filled }, failures);
    const chunks = busyChunks(filled);
    const busy = await measureBusy({ service, largest, questions, corpus, chunks });
    logStep("Ingestion compared with the embedder alone");
    const ingest = await measureIngestShare(service, largest, corpus.take(chunks));
    const alone = describeIndexAlone(searched);
    return { filled, idle, disk, alone, restarts, busy, ingest, failures: failures.count };
  } finally {
    await service.kill("SIGTERM");
  }
}

function busyChunks({ scales }: Filled): number {
  const share = Math.ceil((scales.at(-1)?.chunks ?? 0) / BUSY_SHARE.of);
  return Math.min(BUSY_SHARE.most, Math.max(BUSY_SHARE.least, share));
}

/** Requires a stopped service, whose write-ahead log is checkpointed. */
async function measureDisk({ service, filled }: FilledService) {
  const { bytes } = await readDiskUse(service.dataDir);
  const chunks = filled.scales.reduce((sum, scale) => sum + scale.chunks, 0);
  const index = readIndex(service.dataDir, filled.scales.at(-1)?.projectId ?? "");
  return {
    megabytes: round(bytes / 1e6),
    bytesPerChunk: round(bytes / chunks, 0),
    indexBytesPerChunk: round(index.bytes / index.chunks, 0),
    index,
  };
}

function logStep(step: string): void {
  process.stderr.write(`${step}\n`);
}

/** Leaves out the API key. */
function resultOf(figures: Figures, { corpus, failures }: Run) {
  const { filled, failures: count, ...rest } = figures;
  const { key: _key, ...load } = filled;
  return {
    table: tableOf(figures),
    failures: { count, examples: failures.examples },
    load,
    mixedDocuments: corpus.mixed,
    ...rest,
  };
}

async function main(): Promise<void> {
  const options = readOptions();
  const machine = describeMachine();
  logStep("Counting chunks");
  const corpus = await openCorpus(options.folder);
  const documents = corpus.take(options.scales.at(-1) ?? 0);
  const questioned = firstChunks(documents, options.scales[0] ?? 0);
  const questions = makeQuestions(questioned, { count: options.questions, seed: SEED });
  const run: Run = { options, corpus, documents, questions, failures: createFailures() };
  const { service, kept } = await start(run);
  try {
    const filled = kept ?? (await loadScales(service, { ...run, scales: options.scales }));
    const figures = await measure(run, { service, filled });
    const command = `node bench/scale.ts FOLDER --chunks ${options.scales.join(",")} --questions ${options.questions}${options.data === undefined ? "" : " --data DIR"}`;
    const data = { documents: documents.length, sha256: hashDocuments(documents), questionSeed: SEED };
    await publish({ command, data, machine, result: resultOf(figures, run) }, options.resultFile);
    process.stderr.write(`\n${printTable(tableOf(figures))}`);
    if (figures.failures > 0) process.exitCode = 1;
  } finally {
    await service.stop();
  }
}

await main();
