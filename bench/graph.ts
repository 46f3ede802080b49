/**
 * Measures the cost of a graph: the same questions to a project with a graph and to a project without one.
 *
 *   node bench/graph.ts FOLDER [RESULT.json] [--scales 1000,6000] [--questions 300]
 *
 * FOLDER contains folders with corpus.jsonl {_id, title, text} and queries.jsonl {_id, text}. For each scale, the first
 * documents of all folders are ingested into both projects, and the same questions are sent to both in turn.
 */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Api, createApi, ingestAll, type NewDocument } from "../evals/client.ts";
import { startService } from "../evals/service.ts";
import { ask } from "./first-answer.ts";
import { describeMachine, publish, round } from "./report.ts";
import { describeTimes, timeMs } from "./scale/timing.ts";

const WARM_UP = 100;
const LIMIT_MS = 10;

interface Input {
  readonly documents: readonly NewDocument[];
  readonly questions: readonly string[];
}

type Row = Readonly<Record<string, string>>;

async function readRows(folder: string, file: string): Promise<readonly Row[]> {
  const text = await readFile(join(folder, file), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row); // The file format is described above.
}

/** Takes documents and questions from all sets in turn, so that every scale contains some of each set. */
async function readInput(folder: string): Promise<Input> {
  const names = (await readdir(folder)).sort();
  const documents: NewDocument[][] = [];
  const questions: string[][] = [];
  for (const name of names) {
    const corpus = await readRows(join(folder, name), "corpus.jsonl");
    documents.push(
      corpus
        .map((row) => ({
          source_doc_id: `${name}/${row["_id"] ?? ""}`,
          text: [row["title"], row["text"]].filter(Boolean).join("\n"),
        }))
        .filter(({ text }) => text.trim() !== ""),
    );
    const queries = await readRows(join(folder, name), "queries.jsonl");
    questions.push(queries.map((row) => row["text"] ?? "").filter((text) => text !== ""));
  }
  return { documents: inTurn(documents), questions: inTurn(questions) };
}

function inTurn<T>(lists: readonly (readonly T[])[]): readonly T[] {
  const longest = Math.max(...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list.slice(at, at + 1))).flat();
}

function hashOf(documents: readonly NewDocument[]): string {
  const hash = createHash("sha256");
  for (const document of documents) hash.update(JSON.stringify(document));
  return hash.digest("hex");
}

async function fill(api: Api, vectorOnly: boolean, documents: readonly NewDocument[]) {
  const body = { name: `${documents.length}`, vector_only: vectorOnly };
  const { project_id: id } = await api.request<{ project_id: string }>("POST", "/projects", body);
  const began = performance.now();
  const jobs = await ingestAll(api, id, documents);
  const failed = jobs.find(({ status }) => status !== "completed");
  if (failed !== undefined) throw new Error(`An ingest failed: ${failed.error_message}`);
  const seconds = (performance.now() - began) / 1000;
  const chunks = jobs.reduce((sum, job) => sum + job.chunks_processed, 0);
  return { id, chunks, chunksPerSecond: round(chunks / seconds, 1) };
}

async function measure(api: Api, { documents, questions }: Input) {
  const plain = await fill(api, true, documents);
  const graph = await fill(api, false, documents);
  for (const question of questions.slice(0, WARM_UP)) {
    await ask(api, plain.id, question);
    await ask(api, graph.id, question);
  }
  const times = { plain: [] as number[], graph: [] as number[], more: [] as number[] };
  let ranked = 0;
  for (const [at, question] of questions.entries()) {
    let strategy = "";
    const askGraph = async () => {
      strategy = (await ask(api, graph.id, question)).strategy_used;
    };
    const first = at % 2 === 0 ? await timeMs(() => ask(api, plain.id, question)) : await timeMs(askGraph);
    const second = at % 2 === 0 ? await timeMs(askGraph) : await timeMs(() => ask(api, plain.id, question));
    const [plainMs, graphMs] = at % 2 === 0 ? [first, second] : [second, first];
    times.plain.push(plainMs);
    times.graph.push(graphMs);
    times.more.push(graphMs - plainMs);
    if (strategy === "hybrid_graph") ranked++;
  }
  const described = {
    plain: describeTimes(times.plain),
    graph: describeTimes(times.graph),
    more: describeTimes(times.more),
  };
  return {
    documents: documents.length,
    chunks: graph.chunks,
    questions: questions.length,
    rankedByGraph: ranked,
    ingestChunksPerSecond: { plain: plain.chunksPerSecond, graph: graph.chunksPerSecond },
    ...described,
    p50MoreMs: round(described.graph.p50Ms - described.plain.p50Ms, 2),
  };
}

async function main(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      scales: { type: "string", default: "1000,6000" },
      questions: { type: "string", default: "300" },
    },
  });
  const [folder, resultFile] = positionals;
  if (folder === undefined) throw new Error("Usage: node bench/graph.ts FOLDER [RESULT.json]");
  const machine = describeMachine();
  const { documents, questions } = await readInput(folder);
  const selected = questions.slice(0, Number(values.questions));
  const service = await startService({ env: { KCS_LOG_LEVEL: "warn" } });
  try {
    const api = createApi(service.baseUrl, service.key);
    const scales = [];
    for (const scale of values.scales.split(",").map(Number)) {
      scales.push(await measure(api, { documents: documents.slice(0, scale), questions: selected }));
    }
    const last = scales.at(-1);
    const limit = { p50MoreMs: LIMIT_MS, met: (last?.p50MoreMs ?? Number.NaN) <= LIMIT_MS };
    await publish(
      {
        command: `node bench/graph.ts FOLDER --scales ${values.scales} --questions ${values.questions}`,
        data: { documents: documents.length, sha256: hashOf(documents) },
        machine,
        result: { limit, scales },
      },
      resultFile,
    );
  } finally {
    await service.stop();
  }
}

await main();
