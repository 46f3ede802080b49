/** Compares the state at the end of a run with a fresh ingest of the expected texts. */
import { createApi, ingestAll, type QueryView } from "../../evals/client.ts";
import { startService } from "../../evals/service.ts";
import { createProject } from "../first-answer.ts";
import { readDocumentDigests } from "./database-view.ts";
import { type ExpectedProject, newestText } from "./expected.ts";
import { writeQuestion } from "./prose.ts";
import type { Random } from "./random.ts";
import type { Subject } from "./subject.ts";
import type { Tally } from "./tally.ts";

const QUESTIONS = 54;
const TOP_K = 25;

/** Answers without the chunk ids, which differ in every ingest. */
export type Answers = ReadonlyMap<string, string>;

export interface FinalQuestion {
  readonly project: ExpectedProject;
  readonly query: string;
}

/** The same number of questions for each project, in turn. */
export function writeFinalQuestions(
  projects: readonly ExpectedProject[],
  random: Random,
): readonly FinalQuestion[] {
  return Array.from({ length: QUESTIONS }, (_, at) => ({
    project: projects[at % projects.length],
    query: writeQuestion(random),
  })).filter((question): question is FinalQuestion => question.project !== undefined);
}

/** Sends the questions to the service under test, which runs and is no longer restarted. */
export async function askSubject(subject: Subject, questions: readonly FinalQuestion[]): Promise<Answers> {
  const answers = new Map<string, string>();
  for (const { project, query } of questions) {
    const body = { query, top_k: TOP_K, include: ["provenance"] };
    const outcome = await subject.request<QueryView>("POST", `/projects/${project.id}/query`, body);
    if (outcome.kind !== "answered" || outcome.status !== 200)
      throw new Error(`A last question got no answer: ${JSON.stringify(outcome)}`);
    answers.set(`${project.name}: ${query}`, comparable(outcome.body));
  }
  return answers;
}

function comparable({ strategy_used, results }: QueryView): string {
  const chunks = results.chunks.map(({ text, similarity, source_doc_id, start, end }) => ({
    text,
    similarity,
    source_doc_id,
    start,
    end,
  }));
  return JSON.stringify({ strategy_used, summary: results.summary, chunks }, null, 1);
}

interface Fresh {
  readonly answers: Answers;
  readonly digests: ReadonlyMap<string, ReadonlyMap<string, string>>;
}

/** Starts a new service and ingests the newest text of each document. */
async function ingestFresh(
  projects: readonly ExpectedProject[],
  questions: readonly FinalQuestion[],
): Promise<Fresh> {
  const service = await startService({ env: { KCS_INGEST_PER_MINUTE: "0" } });
  try {
    const api = createApi(service.baseUrl, service.key);
    const ids = new Map<string, string>();
    for (const project of projects) {
      const id = await createProject(api, project.name);
      ids.set(project.name, id);
      const documents = [...project.documents].map(([source_doc_id, document]) => ({
        source_doc_id,
        text: newestText(document),
      }));
      const failed = (await ingestAll(api, id, documents)).find((job) => job.status === "failed");
      if (failed !== undefined) throw new Error(`The fresh ingest failed: ${failed.error_message}`);
    }
    const answers = new Map<string, string>();
    for (const { project, query } of questions) {
      const body = { query, top_k: TOP_K, include: ["provenance"] };
      const answer = await api.request<QueryView>("POST", `/projects/${ids.get(project.name)}/query`, body);
      answers.set(`${project.name}: ${query}`, comparable(answer));
    }
    await service.kill("SIGTERM");
    const digests = new Map([...ids].map(([name, id]) => [name, readDocumentDigests(service.dataDir, id)]));
    return { answers, digests };
  } finally {
    await service.stop();
  }
}

/** Compares document by document and question by question. The service under test must have stopped. */
export async function compareWithFresh(
  final: { readonly dataDir: string; readonly projects: readonly ExpectedProject[] },
  asked: { readonly questions: readonly FinalQuestion[]; readonly answers: Answers },
  tally: Tally,
): Promise<{ projects: number; documents: number; chunks: number; questions: number; equalAnswers: number }> {
  const fresh = await ingestFresh(final.projects, asked.questions);
  let documents = 0;
  let chunks = 0;
  for (const project of final.projects) {
    const expected = fresh.digests.get(project.name) ?? new Map<string, string>();
    const actual = readDocumentDigests(final.dataDir, project.id);
    for (const id of new Set([...expected.keys(), ...actual.keys(), ...project.documents.keys()])) {
      documents++;
      chunks += Number.parseInt(expected.get(id) ?? "0", 10);
      const isSame = actual.get(id) === expected.get(id);
      if (!isSame)
        tally.violate("state", `${project.name} ${id}: ${actual.get(id)}, fresh ${expected.get(id)}`);
    }
  }
  let equalAnswers = 0;
  for (const [question, expected] of fresh.answers) {
    const actual = asked.answers.get(question) ?? "";
    if (actual === expected) equalAnswers++;
    else tally.violate("ranking", `${question}: ${firstDifference(actual, expected)}`);
  }
  return { projects: final.projects.length, documents, chunks, questions: fresh.answers.size, equalAnswers };
}

function firstDifference(actual: string, expected: string): string {
  const expectedLines = expected.split("\n");
  const actualLines = actual.split("\n");
  const at = actualLines.findIndex((line, index) => line !== expectedLines[index]);
  return `line ${at}: ${actualLines[at]?.slice(0, 200)} | fresh: ${expectedLines[at]?.slice(0, 200)}`;
}
