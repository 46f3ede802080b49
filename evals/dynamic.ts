/**
 * Compares dynamic with static questions, over HTTP in the default configuration (no language model).
 *
 *   node evals/dynamic.ts FOLDER SET,SET,… [RESULT.json]
 *
 * FOLDER is the same as for retrieval.ts. Each set is ingested into a project without a graph and into one with a graph,
 * and queried in both modes. Queries at even positions in their file are used for tuning, the others for reporting.
 */
import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Api, createApi, ingestAll, type QueryView } from "./client.ts";
import { type EvaluationSet, readSet, round, score, textOf } from "./retrieval-set.ts";
import { startService } from "./service.ts";

const DEPTH = 20;
const MODES = ["static", "dynamic"] as const;

async function runSet(api: Api, set: EvaluationSet, vectorOnly: boolean) {
  const project = await api.request<{ project_id: string }>("POST", "/projects", {
    name: set.name,
    vector_only: vectorOnly,
  });
  const documents = set.documents.map((document) => ({
    source_doc_id: document.source_doc_id,
    text: textOf(document, true),
  }));
  await ingestAll(api, project.project_id, documents);
  const results = [];
  for (const mode of MODES) {
    const { ranked, summaries, strategies, milliseconds } = await askAll(api, {
      projectId: project.project_id,
      set,
      mode,
    });
    results.push({
      set: set.name,
      sha256: set.sha256,
      project: vectorOnly ? "vector_only" : "kg_vector",
      mode,
      strategies,
      medianMs: round(milliseconds[milliseconds.length >> 1] ?? 0),
      p95Ms: round(milliseconds[Math.floor(0.95 * milliseconds.length)] ?? 0),
      tuned: score(set, ranked, (_id, at) => at % 2 === 0),
      reported: score(set, ranked, (_id, at) => at % 2 === 1),
      all: score(set, ranked, () => true),
      answers: {
        tuned: countAnswers(set, summaries, (at) => at % 2 === 0),
        reported: countAnswers(set, summaries, (at) => at % 2 === 1),
      },
    });
  }
  return results;
}

/** Of the questions with an answer: how many summaries have it, and how many in the first sentence. What says that nothing answers has none. */
function countAnswers(
  { queries }: EvaluationSet,
  summaries: ReadonlyMap<string, string>,
  isChosen: (at: number) => boolean,
) {
  const asked = queries.filter(
    ({ id, answers }, at) => isChosen(at) && answers.length > 0 && summaries.has(id),
  );
  const has = (text: string, answers: readonly string[]) =>
    answers.some((answer) => ` ${plain(text)} `.includes(` ${plain(answer)} `));
  const said = asked.map(({ id, answers }) => ({ text: summaries.get(id) ?? "", answers }));
  const found = said.filter(({ text }) => !text.startsWith("No passage"));
  return {
    questions: asked.length,
    first: found.filter(({ text, answers }) => has(text.split(SENTENCE_END, 1)[0] ?? "", answers)).length,
    anywhere: found.filter(({ text, answers }) => has(text, answers)).length,
    denied: said.length - found.length,
  };
}

/** Ends behind two letters, as initials do not. */
const SENTENCE_END = /(?<=\p{Ll}{2}["”)]?[.!?]["”)]?)\s/u;

function plain(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

async function askAll(
  api: Api,
  { projectId, set, mode }: { projectId: string; set: EvaluationSet; mode: (typeof MODES)[number] },
) {
  const ranked = new Map<string, readonly string[]>();
  const summaries = new Map<string, string>();
  const strategies: Record<string, number> = {};
  const milliseconds: number[] = [];
  for (const { id, text } of set.queries) {
    if (!set.relevant.has(id)) continue;
    const began = performance.now();
    const answer = await api.request<QueryView>("POST", `/projects/${projectId}/query`, {
      query: text,
      mode,
      top_k: DEPTH,
      include: ["provenance"],
    });
    milliseconds.push(performance.now() - began);
    strategies[answer.strategy_used] = (strategies[answer.strategy_used] ?? 0) + 1;
    summaries.set(id, answer.results.summary);
    ranked.set(id, [...new Set(answer.results.chunks.map((chunk) => chunk.source_doc_id ?? ""))]);
  }
  return { ranked, summaries, strategies, milliseconds: milliseconds.sort((one, other) => one - other) };
}

async function main([folder, names, resultFile]: readonly string[]): Promise<void> {
  if (folder === undefined || names === undefined)
    throw new Error("Usage: node evals/dynamic.ts FOLDER SET,SET,… [RESULT.json]");
  const service = await startService();
  try {
    const api = createApi(service.baseUrl, service.key);
    const results = [];
    for (const name of names.split(",")) {
      const set = await readSet(join(folder, name));
      for (const vectorOnly of [true, false]) {
        const setResults = await runSet(api, set, vectorOnly);
        results.push(...setResults);
        for (const result of setResults) process.stdout.write(`${JSON.stringify(result)}\n`);
      }
    }
    const commit = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim();
    const command = "node evals/dynamic.ts FOLDER SET,SET,… RESULT.json";
    const report = { command, commit, date: new Date().toISOString(), results };
    if (resultFile !== undefined) await writeFile(resultFile, `${JSON.stringify(report, null, 2)}\n`);
  } finally {
    await service.stop();
  }
}

await main(process.argv.slice(2));
