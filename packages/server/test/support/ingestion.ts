/** Steps that most tests share: a project, documents in it, and what a query shows of them. */
import assert from "node:assert/strict";
import type { Client, Success } from "./http-client.ts";

export interface Text {
  readonly text: string;
  readonly source_doc_id: string;
  readonly metadata?: Readonly<Record<string, string | number>>;
}

export type Job = Success<"getJob">;

/** A chunk with all that `include: ["provenance"]` adds. */
export interface PlacedChunk {
  readonly text: string;
  readonly similarity: number;
  readonly chunk_id: string;
  readonly source_doc_id: string;
  readonly start: number;
  readonly end: number;
}

const JOB_LIMIT_MS = 60_000;
const POLL_MS = 15;

/** Asks again and again until `look` gives something; fails after the limit. */
export async function waitFor<T>(
  what: string,
  look: () => Promise<T | null>,
  limitMs = JOB_LIMIT_MS,
): Promise<T> {
  const limit = performance.now() + limitMs;
  for (;;) {
    const found = await look();
    if (found !== null) return found;
    if (performance.now() > limit) assert.fail(`${what}: not within ${limitMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** The job once it is completed or failed. */
export function waitForJob(
  client: Client,
  projectId: string,
  jobId: string,
  limitMs = JOB_LIMIT_MS,
): Promise<Job> {
  const params = { project_id: projectId, job_id: jobId };
  const look = async () => {
    const job = await client.succeed("getJob", { params });
    return job.status === "completed" || job.status === "failed" ? job : null;
  };
  return waitFor(`the end of ${jobId}`, look, limitMs);
}

export async function createProject(client: Client, name = "Field notes"): Promise<string> {
  const project = await client.succeed("createProject", { body: { name, vector_only: true } });
  return project.project_id;
}

export async function ingest(client: Client, projectId: string, document: Text): Promise<string> {
  const params = { project_id: projectId };
  return (await client.succeed("ingest", { params, body: document })).job_id;
}

/** Accepts all documents at once and waits until every job is completed; in the order of the documents. */
export async function ingestAll(
  client: Client,
  projectId: string,
  documents: readonly Text[],
): Promise<readonly Job[]> {
  const params = { project_id: projectId };
  const { jobs } = await client.succeed("ingestBatch", { params, body: { documents } });
  const ended: Job[] = [];
  for (const { job_id } of jobs) ended.push(await waitForJob(client, projectId, job_id));
  for (const job of ended) assert.equal(job.status, "completed", job.error_message ?? "");
  return ended;
}

/** The best 100 chunks with their places: all of them in a project that has no more. */
export async function placedChunks(
  client: Client,
  projectId: string,
  query = "What is written here?",
): Promise<readonly PlacedChunk[]> {
  const body = { query, top_k: 100, include: ["provenance"] };
  const answer = await client.succeed("query", { params: { project_id: projectId }, body });
  return answer.results.chunks.map((chunk) => {
    const { text, similarity, chunk_id, source_doc_id, start, end } = chunk;
    assert.ok(chunk_id !== undefined && source_doc_id !== undefined);
    assert.ok(start !== undefined && end !== undefined);
    return { text, similarity, chunk_id, source_doc_id, start, end };
  });
}

const SUBJECTS = ["The ferry", "A lantern", "Our botanist", "The archive", "Each turbine", "A quiet harbour"];
const VERBS = ["carries", "describes", "repairs", "measures", "replaces", "outlives"];
const OBJECTS = [
  "copper seals",
  "old ledgers",
  "spring tides",
  "glass floats",
  "basalt columns",
  "seed drawers",
];

/** A text of so many sentences, no two alike; the same for the same seed. About ten chunks per hundred sentences. */
export function longText(sentences: number, seed: string): string {
  const lines: string[] = [];
  for (let at = 0; at < sentences; at++) {
    const subject = SUBJECTS[at % 6];
    const verb = VERBS[Math.floor(at / 6) % 6];
    const object = OBJECTS[Math.floor(at / 36) % 6];
    lines.push(`${subject} of ${seed} ${verb} the ${object} in entry number ${at}.`);
  }
  return lines.join(" ");
}
