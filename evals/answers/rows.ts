/**
 * Questions about one row of real tables whose rows begin with names of their own ("What is the capacity of …?"), over HTTP in the default configuration.
 *
 *   node evals/answers/rows.ts FOLDER [RESULT.json]
 *
 * FOLDER has the files that `evals/records/sources.md` names; the CSV files whose first column has a name in each row are used, all in one project without a graph. Of every five
 * rows the first is used for tuning, the third and fourth for reporting; each is asked for one other column, static and dynamic. first: the first line of the
 * summary has the name and the value. later: another line has. denied: the summary says that nothing answers.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { type Api, createApi, type JobView, type QueryView, waitForJobs } from "../client.ts";
import { startService } from "../service.ts";

const MODES = ["static", "dynamic"] as const;
type Mode = (typeof MODES)[number];
const HALVES = [
  ["tuned", [0]],
  ["reported", [2, 3]],
] as const;
const EVERY = 5;
/** A longer value is no short answer. */
const MAX_VALUE = 60;
/** Shares of the rows. */
const LEAST_UNLIKE = 0.9;
const LEAST_NAMED = 0.8;
const KINDS = ["first", "later", "denied", "wrong"] as const;

interface Table {
  readonly file: string;
  readonly bytes: Buffer<ArrayBuffer>;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

interface Question {
  readonly text: string;
  readonly name: string;
  readonly value: string;
}

async function readTables(folder: string): Promise<readonly Table[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".csv")).toSorted();
  const tables = files.map(async (file) => {
    const bytes = await readFile(join(folder, file));
    const options = { bom: true, relax_column_count: true, relax_quotes: true };
    const [head = [], ...rows]: readonly (readonly string[])[] = parse(bytes, options);
    return { file, bytes, head, rows };
  });
  return (await Promise.all(tables)).filter(({ rows }) => {
    const names = rows.map(([name = ""]) => name);
    const named = names.filter((name) => /\p{L}{3}/u.test(name));
    return new Set(names).size >= LEAST_UNLIKE * rows.length && named.length >= LEAST_NAMED * rows.length;
  });
}

function questionsOf({ head, rows }: Table, places: readonly number[]): readonly Question[] {
  return rows.flatMap((row, at) => {
    const column = 1 + (at % (head.length - 1));
    const [name = "", value = "", asked = ""] = [row[0], row[column], head[column]];
    const isAsked = places.includes(at % EVERY) && name !== "" && /\p{L}/u.test(asked);
    if (!isAsked || value === "" || value.length > MAX_VALUE) return [];
    return { text: `What is the ${asked.replaceAll("_", " ").toLowerCase()} of ${name}?`, name, value };
  });
}

async function ingest(api: Api, tables: readonly Table[]): Promise<string> {
  const body = { name: "rows", vector_only: true };
  const { project_id } = await api.request<{ project_id: string }>("POST", "/projects", body);
  const form = new FormData();
  for (const { file, bytes } of tables) form.append("files", new File([bytes], file, { type: "text/csv" }));
  const { jobs } = await api.request<{ jobs: JobView[] }>("POST", `/projects/${project_id}/files`, form);
  await waitForJobs(api, { projectId: project_id, waiting: new Set(jobs.map(({ job_id }) => job_id)) });
  return project_id;
}

async function ask(
  api: Api,
  projectId: string,
  { question: { text, name, value }, mode }: { readonly question: Question; readonly mode: Mode },
): Promise<(typeof KINDS)[number]> {
  const body = { query: text, mode };
  const { results } = await api.request<QueryView>("POST", `/projects/${projectId}/query`, body);
  if (/^(?:No passage|Whether)/.test(results.summary)) return "denied";
  const lines = results.summary.split("\n").map((line) => line.includes(name) && line.includes(value));
  return lines[0] === true ? "first" : lines.includes(true) ? "later" : "wrong";
}

async function main([folder, resultFile]: readonly string[]): Promise<void> {
  if (folder === undefined) throw new Error("Usage: node evals/answers/rows.ts FOLDER [RESULT.json]");
  const tables = await readTables(folder);
  const hash = createHash("sha256");
  for (const { bytes } of tables) hash.update(bytes);
  const service = await startService();
  const result: Record<string, unknown>[] = [];
  try {
    const api = createApi(service.baseUrl, service.key);
    const projectId = await ingest(api, tables);
    for (const [half, places] of HALVES) {
      const questions = tables.flatMap((table) => questionsOf(table, places));
      for (const mode of MODES) {
        const asked = questions.map((question) => ({ question, mode }));
        const kinds = await Array.fromAsync(asked, (one) => ask(api, projectId, one));
        const counts = KINDS.map((kind) => [kind, kinds.filter((found) => found === kind).length]);
        result.push({ half, mode, questions: questions.length, ...Object.fromEntries(counts) });
      }
    }
  } finally {
    await service.stop();
  }
  const report = {
    command: "node evals/answers/rows.ts FOLDER evals/results/rows.json",
    commit: execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim(),
    date: new Date().toISOString(),
    files: tables.map(({ file }) => file),
    sha256: hash.digest("hex"),
    result,
  };
  const text = `${JSON.stringify(report, null, 1)}\n`;
  process.stdout.write(text);
  if (resultFile !== undefined) await writeFile(resultFile, text);
}

await main(process.argv.slice(2));
