/**
 * Measures the service on PostgreSQL beside the service on SQLite: the same documents and the same questions, in one run.
 *
 *   node bench/databases.ts FOLDER [RESULT.json] [--documents 6000] [--questions 300]
 *
 * FOLDER is that of `bench/graph.ts`. Each service ingests a project without a graph and one with a graph, one service after
 * the other. Each question is sent to both in turn, then all by several clients. PostgreSQL runs on this machine, with `fsync` off. Exits
 * with 1 where an answer differs.
 */
import { parseArgs } from "node:util";
import { type Api, createApi } from "../evals/client.ts";
import { type StartedService, startService } from "../evals/service.ts";
import { startPostgres } from "../scripts/test/postgres-server.ts";
import { ask } from "./first-answer.ts";
import { readCpuSeconds } from "./process-stats.ts";
import { fillProject, hashOf, type QuestionSets, readQuestionSets } from "./question-sets.ts";
import { describeMachine, publish, round } from "./report.ts";
import { atMost, printTable, type Row } from "./scale/table.ts";
import { describeTimes, timeMs } from "./scale/timing.ts";

const WARM_UP = 100;
const CLIENTS = 8;
const LIMIT_TIMES = 1.5;
const databases = ["sqlite", "postgres"] as const;
type Database = (typeof databases)[number];
type ByDatabase<Value> = Readonly<Record<Database, Value>>;
type Target = ByDatabase<{ readonly api: Api; readonly pid: number }>;

/** Of `make`, one after the other. */
async function each<Value>(make: (database: Database) => Promise<Value>): Promise<ByDatabase<Value>> {
  return { sqlite: await make("sqlite"), postgres: await make("postgres") };
}

/** What a user sees of an answer, without ids. */
async function answerOf(api: Api, projectId: string, question: string): Promise<string> {
  const { strategy_used, results } = await ask(api, projectId, question);
  const chunks = results.chunks.map(({ text, similarity }) => ({ text, similarity }));
  return JSON.stringify({ strategy_used, summary: results.summary, chunks });
}

async function measureKind(target: Target, { documents, questions }: QuestionSets, vectorOnly: boolean) {
  const filled = await each((database) => fillProject(target[database].api, vectorOnly, documents));
  const askOne = (database: Database, question: string) =>
    answerOf(target[database].api, filled[database].id, question);
  for (const question of questions.slice(0, WARM_UP)) await each((database) => askOne(database, question));
  const times: ByDatabase<number[]> = { sqlite: [], postgres: [] };
  let equal = 0;
  for (const [at, question] of questions.entries()) {
    const answers = new Map<Database, string>();
    for (const database of at % 2 === 0 ? databases : databases.toReversed())
      times[database].push(await timeMs(async () => answers.set(database, await askOne(database, question))));
    if (answers.get("sqlite") === answers.get("postgres")) equal++;
  }
  const perSecond = await each((database) => askByClients(questions, (text) => askOne(database, text)));
  const cpu = await each((database) =>
    cpuMsPerQuestion(target[database].pid, questions, (text) => askOne(database, text)),
  );
  const described = { sqlite: describeTimes(times.sqlite), postgres: describeTimes(times.postgres) };
  return {
    chunks: filled.sqlite.chunks,
    equal,
    ingestSeconds: { sqlite: filled.sqlite.seconds, postgres: filled.postgres.seconds },
    ingestTimes: round(filled.postgres.seconds / filled.sqlite.seconds),
    question: described,
    p50Times: round(described.postgres.p50Ms / described.sqlite.p50Ms),
    /** Of the service's process, without PostgreSQL's. */
    cpuMsPerQuestion: cpu,
    questionsPerSecond: perSecond,
  };
}

async function askByClients(questions: readonly string[], askOne: (text: string) => Promise<unknown>) {
  const waiting = [...questions];
  const client = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) await askOne(next);
  };
  const ms = await timeMs(() => Promise.all(Array.from({ length: CLIENTS }, client)));
  return round((1000 * questions.length) / ms, 1);
}

async function cpuMsPerQuestion(
  pid: number,
  questions: readonly string[],
  askOne: (text: string) => Promise<unknown>,
) {
  const before = (await readCpuSeconds(pid)) ?? Number.NaN;
  for (const question of questions) await askOne(question);
  return round((1000 * (((await readCpuSeconds(pid)) ?? Number.NaN) - before)) / questions.length);
}

type Figures = Awaited<ReturnType<typeof measureKind>>;

function tableOf(kinds: Readonly<Record<string, Figures>>): readonly Row[] {
  return Object.entries(kinds).flatMap(([kind, { p50Times, ingestTimes }]) => [
    atMost({
      what: `a question, ${kind}, p50, over SQLite's`,
      value: p50Times,
      limit: LIMIT_TIMES,
      unit: "x",
    }),
    atMost({ what: `ingestion, ${kind}, over SQLite's`, value: ingestTimes, limit: LIMIT_TIMES, unit: "x" }),
  ]);
}

async function measure(services: ByDatabase<StartedService>, sets: QuestionSets) {
  const target = await each(async (database) => {
    const { baseUrl, key, pid } = services[database];
    return { api: createApi(baseUrl, key), pid };
  });
  const plain = await measureKind(target, sets, true);
  const graph = await measureKind(target, sets, false);
  const kinds = { plain, graph };
  const table = tableOf(kinds);
  process.stderr.write(`\n${printTable(table)}`);
  const isEqual = Object.values(kinds).every(({ equal }) => equal === sets.questions.length);
  return { table, questions: sets.questions.length, isEqual, ...kinds };
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      documents: { type: "string", default: "6000" },
      questions: { type: "string", default: "300" },
    },
  });
  const [folder, resultFile] = positionals;
  if (folder === undefined) throw new Error("Usage: node bench/databases.ts FOLDER [RESULT.json]");
  const machine = describeMachine();
  const all = await readQuestionSets(folder);
  const documents = all.documents.slice(0, Number(values.documents));
  const sets = { documents, questions: all.questions.slice(0, Number(values.questions)) };
  const server = await startPostgres({ durable: true });
  const started: StartedService[] = [];
  try {
    const services = await each(async (database) => {
      const env = { KCS_LOG_LEVEL: "warn", ...(database === "postgres" && { DATABASE_URL: server.url }) };
      const service = await startService({ env });
      started.push(service);
      return service;
    });
    const result = await measure(services, sets);
    const command = `node bench/databases.ts FOLDER --documents ${values.documents} --questions ${values.questions}`;
    const data = { documents: documents.length, sha256: hashOf(documents) };
    await publish({ command, data, machine, result }, resultFile);
    if (!result.isEqual) process.exitCode = 1;
  } finally {
    for (const service of started) await service.stop();
    await server.stop();
  }
}

await main();
