/** Documents and questions of several evaluation sets, in turn, and projects that are filled with them. */
import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Api, ingestAll, type NewDocument } from "../evals/client.ts";
import { round } from "./report.ts";

export interface QuestionSets {
  readonly documents: readonly NewDocument[];
  readonly questions: readonly string[];
}

type Row = Readonly<Record<string, string>>;

async function readRows(folder: string, file: string): Promise<readonly Row[]> {
  const text = await readFile(join(folder, file), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row); // The layout is described below.
}

/** `folder` has folders with corpus.jsonl {_id, title, text} and queries.jsonl {_id, text}. Takes documents and questions from all in turn, so that every scale contains some of each set. */
export async function readQuestionSets(folder: string): Promise<QuestionSets> {
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

export function hashOf(documents: readonly NewDocument[]): string {
  const hash = createHash("sha256");
  for (const document of documents) hash.update(JSON.stringify(document));
  return hash.digest("hex");
}

export async function fillProject(api: Api, vectorOnly: boolean, documents: readonly NewDocument[]) {
  const body = { name: `${documents.length}`, vector_only: vectorOnly };
  const { project_id: id } = await api.request<{ project_id: string }>("POST", "/projects", body);
  const began = performance.now();
  const jobs = await ingestAll(api, id, documents);
  const failed = jobs.find(({ status }) => status !== "completed");
  if (failed !== undefined) throw new Error(`An ingest failed: ${failed.error_message}`);
  const seconds = (performance.now() - began) / 1000;
  const chunks = jobs.reduce((sum, job) => sum + job.chunks_processed, 0);
  return { id, chunks, seconds: round(seconds), chunksPerSecond: round(chunks / seconds, 1) };
}
