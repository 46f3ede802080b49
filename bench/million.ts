/**
 * Measures a project of a million chunks over HTTP, and many small projects, and compares the figures with limits.
 *
 *   node bench/million.ts FOLDER [RESULT.json] [--chunks 1000000] [--database sqlite|postgres] [--real 20000]
 *     [--keep DIR | --data DIR] [--questions 300] [--tenants [--projects 2000]]
 *
 * FOLDER contains *.jsonl files of {_id, title, text}. The bundled model embeds the first chunks (`--real`); further documents are
 * mixed of two of these, and so are their vectors (`million/vectors.ts`). `million/fill-process.ts` ingests all with the service's own
 * code. `--tenants`: 2,000 projects of 500 chunks on SQLite instead. `--keep` copies what was filled to DIR; `--data` starts from such a
 * copy, or, on PostgreSQL, from one of SQLite, which is moved by `kcs-server export` and `import`. Exits with 1 after a failed answer; a missed limit is only reported.
 */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { measureIngest, measureMemory, measureQuestions, measureStarts } from "./million/measure.ts";
import { type Folders, prepare, type Wanted } from "./million/prepared.ts";
import { measureRecall } from "./million/recall.ts";
import { tableOf, tenantRows } from "./million/rows.ts";
import {
  DATABASES,
  type Database,
  dataDirOf,
  describePostgres,
  openPlace,
  startSubject,
} from "./million/subject.ts";
import { measureTenants } from "./million/tenants.ts";
import { openTexts, type Texts } from "./million/texts.ts";
import { type BenchQuestion, makeQuestions } from "./questions.ts";
import { describeMachine, publish } from "./report.ts";
import { createFailures, type Failures } from "./scale/asking.ts";
import { hashDocuments } from "./scale/corpus.ts";
import { printTable } from "./scale/table.ts";

const USAGE =
  "Usage: node bench/million.ts FOLDER [RESULT.json] [--chunks 1000000] [--database sqlite|postgres] [--real 20000] [--keep DIR | --data DIR] [--questions 300] [--tenants [--projects 2000]]";
const SEED = 7;
/** Chunks of real documents that are ingested over HTTP into each project that is compared. */
const INGESTED = 1_600;
const TENANT_CHUNKS = 500;
const MIB = 1024 ** 2;
/** An index of more than three quarters of the cache is read again for each question. */
const CACHE_SHARE = 0.75;
const USUAL_CACHE = 512 * MIB;
const CACHE_STEP = 64 * MIB;

interface Options {
  readonly folder: string;
  readonly resultFile: string | undefined;
  readonly database: Database;
  readonly chunks: number;
  readonly real: number;
  readonly questions: number;
  readonly tenants: boolean;
  readonly projects: number;
  readonly keep: string | null;
  readonly data: string | null;
}

function readOptions(): Options {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      chunks: { type: "string", default: "1000000" },
      real: { type: "string", default: "20000" },
      questions: { type: "string", default: "300" },
      database: { type: "string", default: "sqlite" },
      keep: { type: "string" },
      data: { type: "string" },
      tenants: { type: "boolean", default: false },
      projects: { type: "string", default: "2000" },
    },
  });
  const [folder, resultFile] = positionals;
  const database = DATABASES.find((name) => name === values.database);
  const numbers = {
    chunks: Number(values.chunks),
    real: Number(values.real),
    questions: Number(values.questions),
    projects: Number(values.projects),
  };
  const isValid = Object.values(numbers).every((count) => Number.isSafeInteger(count) && count > 0);
  if (folder === undefined || database === undefined || !isValid) throw new Error(USAGE);
  const { tenants, keep = null, data = null } = values;
  if (tenants && database !== "sqlite") throw new Error(USAGE);
  return { folder, resultFile, database, tenants, keep, data, ...numbers };
}

interface Run {
  readonly options: Options;
  readonly folders: Folders;
  readonly texts: Texts;
  readonly sha256: string;
  readonly questions: readonly BenchQuestion[];
  readonly failures: Failures;
}

function cacheFor(indexBytes: number): number {
  const least = Math.ceil(indexBytes / CACHE_SHARE / CACHE_STEP) * CACHE_STEP;
  return Math.max(USUAL_CACHE, least);
}

async function measureMillion({ options, folders, texts, sha256, questions, failures }: Run) {
  const { database, folder, real, chunks } = options;
  const wanted: Wanted = { name: database, database, folder, real, chunks, projects: 1, sha256 };
  const prepared = await prepare(wanted, folders);
  const { filled, key, moved } = prepared;
  const projectId = filled.projectIds[0] ?? "";
  // The documents that are ingested while it is measured have room, too.
  const cacheBytes = cacheFor(filled.index.bytes * (1 + INGESTED / filled.chunks));
  const place = await openPlace(database, prepared.folder);
  try {
    const subjectOptions = { key, env: { KCS_CACHE_BYTES: String(cacheBytes) } };
    const asked = { projectId, questions, failures };
    logStep("Start");
    const subject = await startSubject(place, subjectOptions);
    logStep("Questions");
    const answered = await measureQuestions(subject, asked);
    const memory = await measureMemory(subject);
    logStep("Ingestion");
    const ingest = await measureIngest(subject, asked, texts.unused(INGESTED));
    await subject.stop();
    logStep("Recall");
    const recall = await measureRecall({
      ...{ dataDir: dataDirOf(place), databaseUrl: place.postgres?.url ?? null },
      ...{ projectId, questions, cacheBytes },
    });
    logStep("Restarts");
    const restarts = await measureStarts(place, subjectOptions, asked);
    const figures = { database, chunks: filled.chunks, cacheBytes, questions: answered };
    const table = tableOf({ ...figures, memory, ingest, recall, restarts }, failures.count);
    const { projectIds: _, ...fill } = filled;
    const server = database === "postgres" ? { postgres: describePostgres() } : {};
    return {
      table,
      ...server,
      cacheBytes,
      fill: { ...fill, moved },
      questions: answered,
      memory,
      ingest,
      recall,
      restarts,
    };
  } finally {
    await place.postgres?.stop();
  }
}

async function measureManyProjects({ options, folders, sha256, questions, failures }: Run) {
  const { folder, real, projects } = options;
  const wanted = { database: "sqlite", folder, real, chunks: TENANT_CHUNKS, sha256 } as const;
  const many = await prepare({ ...wanted, name: "tenants", projects }, folders);
  const one = await prepare({ ...wanted, name: "one-tenant", projects: 1 }, folders);
  const start = async ({ folder, key, filled }: typeof many) => ({
    subject: await startSubject(await openPlace("sqlite", folder), { key, env: {} }),
    projectIds: filled.projectIds,
  });
  const started = { many: await start(many), one: await start(one) };
  try {
    logStep("Questions");
    const figures = await measureTenants(started, { questions, failures });
    const { projectIds, ...fill } = many.filled;
    return { table: tenantRows(figures, failures.count), projects: projectIds.length, fill, ...figures };
  } finally {
    for (const { subject } of Object.values(started)) await subject.stop();
  }
}

function logStep(step: string): void {
  process.stderr.write(`${step}\n`);
}

function commandOf({ database, chunks, real, questions, tenants, projects, data }: Options): string {
  const what = tenants ? `--tenants --projects ${projects}` : `--database ${database} --chunks ${chunks}`;
  return `node bench/million.ts FOLDER ${what} --real ${real} --questions ${questions}${data === null ? "" : " --data DIR"}`;
}

async function main(): Promise<void> {
  const options = readOptions();
  const machine = describeMachine();
  const texts = await openTexts(options.folder, options.real);
  const documents = texts.real.map((document) => ({ ...document, chunks: document.texts.length }));
  const sha256 = hashDocuments(documents);
  const questions = makeQuestions(texts.real, { count: options.questions, seed: SEED });
  const work = await mkdtemp(join(tmpdir(), "kcs-million-"));
  await chmod(work, 0o711); // PostgreSQL's user passes through it.
  const failures = createFailures();
  const { keep, data } = options;
  const run: Run = { options, folders: { work, keep, data }, texts, sha256, questions, failures };
  try {
    const measured = await (options.tenants ? measureManyProjects(run) : measureMillion(run));
    const result = { ...measured, failures: { count: failures.count, examples: failures.examples } };
    const about = {
      realDocuments: documents.length,
      realChunks: texts.realChunks,
      sha256,
      questionSeed: SEED,
    };
    await publish({ command: commandOf(options), data: about, machine, result }, options.resultFile);
    process.stderr.write(`\n${printTable(measured.table)}`);
    if (failures.count > 0) process.exitCode = 1;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

await main();
