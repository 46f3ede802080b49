/** Compares what a long life left with a fresh ingest of the texts that should be there. */
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

/** Everything of an answer but the chunks' ids, which are new with every ingest. */
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

/** From the service under test, which is up and left alone by now. */
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

/** A new service with the newest text of each document, in one go. */
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

/** Compares document by document and question by question; the service under test has stopped. */
export async function compareWithFresh(
  left: { readonly dataDir: string; readonly projects: readonly ExpectedProject[] },
  asked: { readonly questions: readonly FinalQuestion[]; readonly answers: Answers },
  tally: Tally,
): Promise<{ projects: number; documents: number; chunks: number; questions: number; equalAnswers: number }> {
  const fresh = await ingestFresh(left.projects, asked.questions);
  let documents = 0;
  let chunks = 0;
  for (const project of left.projects) {
    const wanted = fresh.digests.get(project.name) ?? new Map<string, string>();
    const found = readDocumentDigests(left.dataDir, project.id);
    for (const id of new Set([...wanted.keys(), ...found.keys(), ...project.documents.keys()])) {
      documents++;
      chunks += Number.parseInt(wanted.get(id) ?? "0", 10);
      const same = found.get(id) === wanted.get(id);
      if (!same) tally.violate("state", `${project.name} ${id}: ${found.get(id)}, fresh ${wanted.get(id)}`);
    }
  }
  let equalAnswers = 0;
  for (const [question, wanted] of fresh.answers) {
    const found = asked.answers.get(question) ?? "";
    if (found === wanted) equalAnswers++;
    else tally.violate("ranking", `${question}: ${firstDifference(found, wanted)}`);
  }
  return { projects: left.projects.length, documents, chunks, questions: fresh.answers.size, equalAnswers };
}

function firstDifference(found: string, wanted: string): string {
  const wantedLines = wanted.split("\n");
  const foundLines = found.split("\n");
  const at = foundLines.findIndex((line, index) => line !== wantedLines[index]);
  return `line ${at}: ${foundLines[at]?.slice(0, 200)} | fresh: ${wantedLines[at]?.slice(0, 200)}`;
}
