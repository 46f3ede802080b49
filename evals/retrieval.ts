/**
 * Measures retrieval quality over HTTP in the default configuration.
 *
 *   node evals/retrieval.ts FOLDER [RESULT.json]
 *
 * FOLDER contains one folder per set in the BEIR layout: corpus.jsonl {_id, title, text}, queries.jsonl {_id, text},
 * qrels.tsv (query-id, corpus-id, score). Each set is run in three projects: without a graph, with a graph but no ontology,
 * and the latter with titles removed. Queries at even positions in their file are used for tuning, the others for
 * reporting.
 */
import { execFileSync } from "node:child_process";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Api, createApi, ingestAll, type QueryView } from "./client.ts";
import { type EvaluationSet, readSet, round, score, textOf } from "./retrieval-set.ts";
import { startService } from "./service.ts";

const WAYS = [
  { way: "vector_only", vectorOnly: true, titled: true },
  { way: "kg_vector", vectorOnly: false, titled: true },
  { way: "kg_vector, titles deleted", vectorOnly: false, titled: false },
] as const;

const DEPTH = 100;
const CLIENTS = 2;

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
