/**
 * Retrieval quality over HTTP in the default configuration.
 *
 *   node evals/retrieval.ts FOLDER [RESULT.json]
 *
 * FOLDER holds one folder per set, each in the BEIR layout: corpus.jsonl {_id, title, text},
 * queries.jsonl {_id, text}, qrels.tsv (query-id, corpus-id, score). All sets are run, each in projects of
 * its own: one that only searches, one that keeps a graph, without an ontology, and one of the same without the titles.
 * Queries with an even place in their file are the half to tune on, the others the half to report.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { type Api, createApi, ingestAll, type QueryView } from "./client.ts";
import { ndcg, recall } from "./metrics.ts";
import { startService } from "./service.ts";

interface EvaluationSet {
  readonly name: string;
  readonly sha256: string;
  readonly documents: readonly SetDocument[];
  readonly queries: readonly { readonly id: string; readonly text: string }[];
  readonly relevant: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

interface SetDocument {
  readonly source_doc_id: string;
  readonly title: string;
  readonly body: string;
}

const WAYS = [
  { way: "vector_only", vectorOnly: true, titled: true },
  { way: "kg_vector", vectorOnly: false, titled: true },
  { way: "kg_vector, titles deleted", vectorOnly: false, titled: false },
] as const;

interface Scores {
  readonly queries: number;
  readonly ndcg10: number;
  readonly recall2: number;
  readonly recall5: number;
}

const DEPTH = 100;
const CLIENTS = 2;

async function readSet(folder: string): Promise<EvaluationSet> {
  const [corpus, queries, qrels] = await Promise.all(
    ["corpus.jsonl", "queries.jsonl", "qrels.tsv"].map((file) => readFile(join(folder, file), "utf8")),
  );
  if (corpus === undefined || queries === undefined || qrels === undefined)
    throw new Error(`${folder} is incomplete.`);
  const relevant = new Map<string, Map<string, number>>();
  for (const line of qrels.trim().split("\n")) {
    const [query, document, score] = line.split("\t");
    if (query === undefined || document === undefined || !/^-?\d+$/.test(score?.trim() ?? "")) continue;
    const grades = relevant.get(query) ?? new Map<string, number>();
    relevant.set(query, grades.set(document, Math.max(0, Number(score))));
  }
  const rows = (text: string) =>
    text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, string>);
  return {
    name: basename(folder),
    sha256: createHash("sha256").update(corpus).update(queries).update(qrels).digest("hex"),
    documents: rows(corpus)
      .map((row) => ({
        title: row["title"] ?? "",
        body: row["text"] ?? "",
        source_doc_id: row["_id"] ?? "",
      }))
      .filter((document) => textOf(document, true).trim() !== ""),
    queries: rows(queries).map((row) => ({ id: row["_id"] ?? "", text: row["text"] ?? "" })),
    relevant,
  };
}

/** The first line is the title. */
function textOf({ title, body }: SetDocument, titled: boolean): string {
  return [titled ? title : "", body].filter(Boolean).join("\n");
}

async function runSet(api: Api, set: EvaluationSet, way: (typeof WAYS)[number]) {
  const project = await api.request<{ project_id: string }>("POST", "/projects", {
    name: set.name,
    vector_only: way.vectorOnly,
  });
  const began = performance.now();
  const documents = set.documents
    .map((document) => ({ source_doc_id: document.source_doc_id, text: textOf(document, way.titled) }))
    .filter(({ text }) => text.trim() !== "");
  const jobs = await ingestAll(api, project.project_id, documents);
  const failed = jobs.filter((job) => job.status === "failed");
  if (failed.length > 0)
    throw new Error(`${set.name}: ${failed.length} jobs failed, first: ${failed[0]?.error_message}`);
  const ingestSeconds = (performance.now() - began) / 1000;
  const { ranked, strategies } = await askAll(api, project.project_id, set);
  const half = (rest: number) => score(set, ranked, (_id, at) => at % 2 === rest);
  return {
    set: set.name,
    way: way.way,
    sha256: set.sha256,
    documents: documents.length,
    chunks: jobs.reduce((sum, job) => sum + job.chunks_processed, 0),
    ingestSeconds: round(ingestSeconds),
    strategies,
    all: score(set, ranked, () => true),
    tuned: half(0),
    reported: half(1),
  };
}

async function askAll(api: Api, projectId: string, set: EvaluationSet) {
  const ranked = new Map<string, readonly string[]>();
  const strategies: Record<string, number> = {};
  const waiting = set.queries.filter(({ id }) => set.relevant.has(id));
  const client = async () => {
    for (let query = waiting.pop(); query !== undefined; query = waiting.pop()) {
      const answer = await api.request<QueryView>("POST", `/projects/${projectId}/query`, {
        query: query.text,
        top_k: DEPTH,
        include: ["provenance"],
      });
      strategies[answer.strategy_used] = (strategies[answer.strategy_used] ?? 0) + 1;
      ranked.set(query.id, [...new Set(answer.results.chunks.map((chunk) => chunk.source_doc_id ?? ""))]);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return { ranked, strategies };
}

function score(
  set: EvaluationSet,
  ranked: ReadonlyMap<string, readonly string[]>,
  chosen: (id: string, at: number) => boolean,
): Scores {
  const ids = set.queries.map(({ id }) => id).filter((id, at) => set.relevant.has(id) && chosen(id, at));
  const mean = (metric: typeof ndcg, depth: number) =>
    round(
      (100 *
        ids.reduce(
          (sum, id) => sum + metric(ranked.get(id) ?? [], set.relevant.get(id) ?? new Map(), depth),
          0,
        )) /
        Math.max(1, ids.length),
    );
  return { queries: ids.length, ndcg10: mean(ndcg, 10), recall2: mean(recall, 2), recall5: mean(recall, 5) };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

async function main([folder, resultFile]: readonly string[]): Promise<void> {
  if (folder === undefined) throw new Error("Usage: node evals/retrieval.ts FOLDER [RESULT.json]");
  const names = (await readdir(folder, { withFileTypes: true })).filter(
    (entry) => entry.isDirectory() || entry.isSymbolicLink(),
  );
  const service = await startService();
  try {
    const api = createApi(service.baseUrl, service.key);
    const results = [];
    for (const { name } of names.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const set = await readSet(join(folder, name));
      for (const way of WAYS) {
        const result = await runSet(api, set, way);
        results.push(result);
        process.stdout.write(`${JSON.stringify(result)}\n`);
      }
    }
    const commit = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim();
    const report = {
      command: "node evals/retrieval.ts FOLDER RESULT.json",
      commit,
      date: new Date().toISOString(),
      results,
    };
    if (resultFile !== undefined) await writeFile(resultFile, `${JSON.stringify(report, null, 2)}\n`);
  } finally {
    await service.stop();
  }
}

await main(process.argv.slice(2));
