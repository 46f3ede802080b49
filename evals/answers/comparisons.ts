/**
 * Verdicts on questions that compare two things, over HTTP in the default configuration, without a language model.
 *
 *   node evals/answers/comparisons.ts FOLDER SET,SET,… [RESULT.json]
 *
 * FOLDER is the same as for retrieval.ts; the sets' questions must have answers. Asked are those with "or", of a project without a graph. Questions at even
 * positions in their file are used for tuning, the others for reporting. Right: what the verdict names first is the answer.
 */
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Api, createApi, ingestAll, type QueryView } from "../client.ts";
import { readSet, textOf } from "../retrieval-set.ts";
import { startService } from "../service.ts";

const MODES = ["static", "dynamic"] as const;
const VERDICT = "Going by these sentences, ";

interface Question {
  readonly text: string;
  readonly answer: string;
  readonly half: "tuned" | "reported";
}

interface Counts {
  questions: number;
  verdicts: number;
  right: number;
}

async function readQuestions(folder: string): Promise<readonly Question[]> {
  const lines = (await readFile(join(folder, "queries.jsonl"), "utf8")).trim().split("\n");
  return lines.flatMap((line, at): Question[] => {
    const { text = "", answer } = JSON.parse(line) as { text?: string; answer?: string }; // As its README has it.
    if (answer === undefined || !/\sor\s/.test(text)) return [];
    return [{ text, answer, half: at % 2 === 0 ? "tuned" : "reported" }];
  });
}

async function askSet(api: Api, folder: string) {
  const set = await readSet(folder);
  const { project_id } = await api.request<{ project_id: string }>("POST", "/projects", {
    name: set.name,
    vector_only: true,
  });
  const documents = set.documents.map((document) => ({
    source_doc_id: document.source_doc_id,
    text: textOf(document, true),
  }));
  await ingestAll(api, project_id, documents);
  const counts = new Map<string, Counts>();
  for (const { text, answer, half } of await readQuestions(folder)) {
    for (const mode of MODES) {
      const body = { query: text, mode };
      const { results } = await api.request<QueryView>("POST", `/projects/${project_id}/query`, body);
      const isVerdict = results.summary.startsWith(VERDICT);
      const isRight = isVerdict && namesFirst(text, results.summary, answer);
      const own = counts.get(`${mode} ${half}`) ?? { questions: 0, verdicts: 0, right: 0 };
      counts.set(`${mode} ${half}`, {
        questions: own.questions + 1,
        verdicts: own.verdicts + Number(isVerdict),
        right: own.right + Number(isRight),
      });
      if (isVerdict && !isRight && half === "tuned") process.stdout.write(`${text}\n${results.summary}\n\n`);
    }
  }
  return { set: set.name, sha256: set.sha256, counts: Object.fromEntries(counts) };
}

/** The verdict begins with one of the names in the question, which may have more or fewer words than the answer. */
function namesFirst(question: string, summary: string, answer: string): boolean {
  const words = folded(summary.slice(VERDICT.length)).split(" ");
  const asked = folded(question);
  let length = words.length;
  while (length > 1 && !asked.includes(words.slice(0, length).join(" "))) length--;
  const named = words.slice(0, length);
  const wanted = folded(answer).split(" ");
  return named.every((word) => wanted.includes(word)) || wanted.every((word) => named.includes(word));
}

function folded(text: string): string {
  const plain = text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  return plain.replace(/[^\p{L}\p{N}]+/gu, " ").trim();
}

async function main([folder, names, resultFile]: readonly string[]): Promise<void> {
  if (folder === undefined || names === undefined)
    throw new Error("Usage: node evals/answers/comparisons.ts FOLDER SET,SET,… [RESULT.json]");
  const service = await startService();
  try {
    const api = createApi(service.baseUrl, service.key);
    const results = [];
    for (const name of names.split(",")) results.push(await askSet(api, join(folder, name)));
    process.stdout.write(`${JSON.stringify(results, null, 1)}\n`);
    const commit = execFileSync("git", ["rev-parse", "HEAD"], { encoding: "utf8" }).trim();
    const command = "node evals/answers/comparisons.ts FOLDER SET,SET,… RESULT.json";
    const report = { command, commit, date: new Date().toISOString(), results };
    if (resultFile !== undefined) await writeFile(resultFile, `${JSON.stringify(report, null, 1)}\n`);
  } finally {
    await service.stop();
  }
}

await main(process.argv.slice(2));
