/** What is ingested and asked while processes and PostgreSQL fail, and how it is shown that nothing was lost or doubled. */
import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Cluster } from "./cluster.ts";
import type { Client } from "./http-client.ts";
import { type Job, longText, type Text } from "./ingestion.ts";

const POLL_MS = 200;
const SHIPS = ["Marlin", "Heron", "Egret", "Plover", "Curlew", "Dunlin", "Gannet", "Petrel"];
const BUILDERS = ["Tove Lind", "Odile Brandt", "Maud Pell"];

export const QUESTIONS = [
  "Who founded the Marlin Works?",
  "Which turbine repairs glass floats?",
  "Where is the Heron Works?",
];

/** A fact for the graph and about three chunks of text, other ones for each number. */
export function documentOf(number: number): Text {
  const ship = `${SHIPS[number % SHIPS.length]}`;
  const facts = `The ${ship} Works is a shipyard that was founded by ${BUILDERS[number % 3]} in ${1800 + number}.`;
  const text = `${facts} It is in Kestrel Bay.\n\n${longText(30, `ledger ${number}`)}`;
  return { source_doc_id: `note-${number}`, text };
}

export async function createGraphProject(client: Client): Promise<string> {
  return (await client.succeed("createProject", { body: { name: "Outages" } })).project_id;
}

export interface Feed {
  /** Ingests so many more documents after those before; resolves when they are accepted. */
  more(count: number): Promise<void>;
  /** In the order of the documents. */
  readonly jobIds: readonly string[];
}

export function createFeed(cluster: Cluster, projectId: string): Feed {
  const jobIds: string[] = [];
  let last = Promise.resolve();
  async function ingest(count: number): Promise<void> {
    for (let left = count; left > 0; left--)
      jobIds.push(await cluster.ingest(projectId, documentOf(jobIds.length)));
  }
  return {
    jobIds,
    more(count) {
      last = last.then(() => ingest(count));
      last.catch(() => undefined); // Whoever waits for it hears of it.
      return last;
    },
  };
}

/** Lets the time pass for which killed workers hold their jobs, and for which jobs wait after an outage. */
export async function lapseWaits(databaseUrl: string): Promise<void> {
  const states = "queue_state in ('running', 'waiting')";
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(`update jobs set ready_at = 1 where ${states}`);
  await client.end();
}

/** All jobs completed, each document once, and the same content, graph and answers as those of an ingest that nothing disturbed. */
export async function assertNothingLost(
  client: Client,
  projectId: string,
  jobIds: readonly string[],
): Promise<void> {
  const jobs = await endedJobs(client, projectId);
  for (const { status, source_doc_id, error_message } of jobs)
    assert.equal(status, "completed", `${source_doc_id}: ${error_message}`);
  const listed = jobs.map(({ job_id }) => job_id);
  assert.deepEqual(listed, jobIds.toReversed(), "A job for each document, and no other.");
  const fresh = await createGraphProject(client);
  const documents = jobIds.map((_, number) => documentOf(number));
  await client.succeed("ingestBatch", { params: { project_id: fresh }, body: { documents } });
  await endedJobs(client, fresh);
  assert.deepEqual(await contentOf(client, projectId), await contentOf(client, fresh));
}

/** As long as it takes: the test has a limit. The jobs of the project, of which there are 100 at most, newest first. */
async function endedJobs(client: Client, projectId: string): Promise<readonly Job[]> {
  for (;;) {
    const { jobs } = await client.succeed("listJobs", {
      params: { project_id: projectId },
      query: { limit: 100 },
    });
    if (jobs.every(({ status }) => status === "completed" || status === "failed")) return jobs;
    await delay(POLL_MS);
  }
}

/** All that two ingests of the same documents have in common. */
async function contentOf(client: Client, projectId: string) {
  const params = { project_id: projectId };
  const { documents, chunks } = await client.succeed("getProjectStats", { params });
  const answers = [];
  for (const query of QUESTIONS) {
    const { results } = await client.succeed("query", { params, body: { query, top_k: 100 } });
    answers.push(results);
  }
  return { documents, chunks, answers };
}
