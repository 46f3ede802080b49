/**
 * Whether summaries hold the answer, over HTTP in the default configuration, without a language model.
 *
 *   node evals/answers/evaluate.ts [RESULT.json] [--tuned] [--failures]
 *
 * Invented documents of nine kinds with questions, in two halves: `tuned` to choose by, `reported` to report. Each half is a project
 * that only searches and one that keeps a graph. `--tuned` asks the first half only, `--failures` shows what it misses; nothing shows
 * single questions of the other.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Api, createApi, ingestAll, type NewDocument, type QueryView } from "../client.ts";
import { round } from "../retrieval-set.ts";
import { startService } from "../service.ts";
import { type Asked, type JudgedQuestion, judge } from "./judge.ts";

const HALVES = ["tuned", "reported"] as const;
const WAYS = [
  { way: "vector_only", vectorOnly: true },
  { way: "kg_vector", vectorOnly: false },
] as const;

interface Half {
  readonly name: (typeof HALVES)[number];
  readonly sha256: string;
  readonly documents: readonly NewDocument[];
  readonly questions: readonly JudgedQuestion[];
}

interface NamedView {
  readonly name: string;
}

type GraphView = QueryView & {
  readonly results: { readonly entities: readonly NamedView[]; readonly relationships: readonly unknown[] };
};

async function readHalf(name: Half["name"]): Promise<Half> {
  const folder = fileURLToPath(new URL(name, import.meta.url));
  const hash = createHash("sha256");
  const texts = new Map<string, string>();
  for (const file of (await readdir(folder)).sort()) {
    const text = await readFile(join(folder, file), "utf8");
    hash.update(file).update("\0").update(text).update("\0");
    texts.set(file, text);
  }
  const questions = JSON.parse(texts.get("questions.json") ?? "[]") as JudgedQuestion[]; // Written beside this file.
  texts.delete("questions.json");
  const documents = [...texts].map(([file, text]) => ({ source_doc_id: file, text }));
  return { name, sha256: hash.digest("hex"), documents, questions };
}

async function ask(api: Api, half: Half, way: (typeof WAYS)[number]): Promise<readonly Asked[]> {
  const project = await api.request<{ project_id: string }>("POST", "/projects", {
    name: `answers ${half.name}`,
    vector_only: way.vectorOnly,
  });
  await ingestAll(api, project.project_id, half.documents);
  const known = way.vectorOnly
    ? []
    : (
        await api.request<{ entities: readonly NamedView[] }>(
          "GET",
          `/projects/${project.project_id}/entities?limit=500`,
        )
      ).entities;
  const asked: Asked[] = [];
  for (const question of half.questions) {
    const { results } = await api.request<GraphView>("POST", `/projects/${project.project_id}/query`, {
      query: question.question,
    });
    const { summary, chunks, entities, relationships } = results;
    asked.push({
      ...{ question, summary, firstChunk: chunks[0]?.text ?? "" },
      ...{ known: known.map(({ name }) => name), entities: entities.map(({ name }) => name) },
      relationships: relationships.length,
    });
  }
  return asked;
}

async function main(given: readonly string[]): Promise<void> {
  const resultFile = given.find((each) => !each.startsWith("--"));
  const service = await startService();
  try {
    const api = createApi(service.baseUrl, service.key);
    const results = [];
    const halves = given.includes("--tuned") ? HALVES.slice(0, 1) : HALVES;
    for (const half of await Promise.all(halves.map(readHalf))) {
      for (const way of WAYS) {
        const asked = await ask(api, half, way);
        const { failures, ...scores } = judge(asked);
        const about = {
          half: half.name,
          way: way.way,
          sha256: half.sha256,
          documents: half.documents.length,
        };
        const shown = Object.fromEntries(Object.entries(scores).map(([name, value]) => [name, round(value)]));
        results.push({ ...about, ...shown });
        process.stdout.write(`${JSON.stringify(results.at(-1))}\n`);
        if (half.name === "tuned" && given.includes("--failures"))
          process.stdout.write(`${failures.join("\n\n")}\n`);
      }
    }
    const commit = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim();
    const command = "node evals/answers/evaluate.ts RESULT.json";
    const report = { command, commit, date: new Date().toISOString(), results };
    if (resultFile !== undefined) await writeFile(resultFile, `${JSON.stringify(report, null, 2)}\n`);
  } finally {
    await service.stop();
  }
}

await main(process.argv.slice(2));
