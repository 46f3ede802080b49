/**
 * Questions about a month, answered by rows of real tables that write dates in numbers, over HTTP in the default configuration.
 *
 *   node evals/answers/tables.ts FOLDER [RESULT.json]
 *
 * FOLDER has `candidate_visits.csv` and `congressional_resignations.csv` of the public repository fivethirtyeight/data. Every twelfth row of the first and
 * 200 of the second are ingested, with dates as they are ("1/28/2023") and as "2023-01-28". A question is asked of each month with one row (of a
 * candidate): even ones are used for tuning, odd ones for reporting. Right: the first row of the summary has the answer.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { type Api, createApi, type JobView, type QueryView, waitForJobs } from "../client.ts";
import { startService } from "../service.ts";

const MONTHS = Array.from({ length: 12 }, (_, month) =>
  new Date(Date.UTC(2000, month, 1)).toLocaleString("en", { month: "long", timeZone: "UTC" }),
);
const FORMS = ["as it is", "year first"] as const;
type Form = (typeof FORMS)[number];
type Row = readonly string[];

interface Table {
  readonly file: string;
  /** Columns of the date, of the answer, and of what the question names beside the month (null = nothing). */
  readonly date: number;
  readonly answer: number;
  readonly named: number | null;
  readonly ask: (named: string, month: string) => string;
  readonly pick: (row: Row, at: number) => boolean;
  readonly columns: number;
}

const TABLES: readonly Table[] = [
  {
    file: "candidate_visits.csv",
    ...{ date: 1, answer: 2, named: 0, columns: 7 },
    ask: (named, month) => `Which city did ${named} visit in ${month}?`,
    pick: (row, at) => at % 12 === 0 && row[2] !== "" && row[4] !== "",
  },
  {
    file: "congressional_resignations.csv",
    ...{ date: 4, answer: 0, named: null, columns: 6 },
    ask: (_, month) => `Which member of Congress resigned in ${month}?`,
    pick: (_, at) => at < 200,
  },
];

interface Question {
  readonly text: string;
  readonly answer: string;
}

/** The rows that are ingested, and the questions. */
function readTable(content: string, table: Table, form: Form): { csv: string; questions: Question[] } {
  const [head = [], ...all]: Row[] = parse(content, { bom: true, relax_column_count: true });
  const dated = all.filter((row) => /^\d+\/\d+\/\d{4}$/.test(row[table.date] ?? ""));
  const rows = dated.filter(table.pick).map((row) => row.slice(0, table.columns));
  const byMonth = Map.groupBy(rows, (row) => {
    const [month = "", , year = ""] = (row[table.date] ?? "").split("/");
    return `${MONTHS[Number(month) - 1]} ${year}\n${table.named === null ? "" : row[table.named]}`;
  });
  const questions = [...byMonth].flatMap(([key, found]): Question[] => {
    const [month = "", named = ""] = key.split("\n");
    const answer = found[0]?.[table.answer];
    return found.length > 1 || answer === undefined ? [] : [{ text: table.ask(named, month), answer }];
  });
  const written = rows.map((row) => row.map((cell, at) => (at === table.date ? inForm(cell, form) : cell)));
  const csv = [head.slice(0, table.columns), ...written]
    .map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(","))
    .join("\n");
  return { csv, questions };
}

function inForm(date: string, form: Form): string {
  if (form === "as it is") return date;
  const [month = "", day = "", year = ""] = date.split("/");
  return [year, month.padStart(2, "0"), day.padStart(2, "0")].join("-");
}

async function ingest(api: Api, files: ReadonlyMap<string, string>): Promise<string> {
  const body = { name: "tables", vector_only: true };
  const { project_id } = await api.request<{ project_id: string }>("POST", "/projects", body);
  const form = new FormData();
  for (const [name, csv] of files) form.append("files", new File([csv], name, { type: "text/csv" }));
  const { jobs } = await api.request<{ jobs: JobView[] }>("POST", `/projects/${project_id}/files`, form);
  await waitForJobs(api, { projectId: project_id, waiting: new Set(jobs.map(({ job_id }) => job_id)) });
  return project_id;
}

async function ask(api: Api, projectId: string, { text, answer }: Question) {
  const { results } = await api.request<QueryView>("POST", `/projects/${projectId}/query`, { query: text });
  const rows = results.summary.split("\n").filter((line) => line.includes("; "));
  return {
    isFirst: rows[0]?.includes(answer) === true,
    isHeld: results.summary.includes(answer),
    isFound: results.chunks.slice(0, 5).some((chunk) => chunk.text.includes(answer)),
  };
}

async function main([folder, resultFile]: readonly string[]): Promise<void> {
  if (folder === undefined) throw new Error("Usage: node evals/answers/tables.ts FOLDER [RESULT.json]");
  const hash = createHash("sha256");
  const contents = new Map<string, string>();
  for (const { file } of TABLES) {
    const content = await readFile(join(folder, file), "utf8");
    hash.update(content);
    contents.set(file, content);
  }
  const service = await startService();
  const result: Record<string, unknown>[] = [];
  try {
    const api = createApi(service.baseUrl, service.key);
    for (const form of FORMS) {
      const read = TABLES.map((table) => ({
        table,
        ...readTable(contents.get(table.file) ?? "", table, form),
      }));
      const projectId = await ingest(api, new Map(read.map(({ table, csv }) => [table.file, csv])));
      for (const { table, questions } of read) {
        for (const [half, parity] of [
          ["tuned", 0],
          ["reported", 1],
        ] as const) {
          const asked = questions.filter((_, at) => at % 2 === parity);
          const answers = await Array.fromAsync(asked, (question) => ask(api, projectId, question));
          const count = (pick: (answer: (typeof answers)[number]) => boolean) => answers.filter(pick).length;
          result.push({
            ...{ table: table.file, dates: form, half, questions: asked.length },
            found: count(({ isFound }) => isFound),
            held: count(({ isHeld }) => isHeld),
            first: count(({ isFirst }) => isFirst),
          });
        }
      }
    }
  } finally {
    await service.stop();
  }
  const report = {
    command: "node evals/answers/tables.ts FOLDER evals/results/tables.json",
    commit: execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim(),
    date: new Date().toISOString(),
    sha256: hash.digest("hex"),
    result,
  };
  const text = `${JSON.stringify(report, null, 1)}\n`;
  process.stdout.write(text);
  if (resultFile !== undefined) await writeFile(resultFile, text);
}

await main(process.argv.slice(2));
