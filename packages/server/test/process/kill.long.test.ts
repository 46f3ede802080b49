import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import pg from "pg";
import type { Client } from "../support/http-client.ts";
import {
  createProject,
  ingestAll,
  longText,
  placedChunks,
  type Text,
  waitFor,
  waitForJob,
} from "../support/ingestion.ts";
import { type ServiceProcess, startProcess } from "../support/process.ts";
import { describeOnBoth, type Home, withHome } from "../support/service.ts";

const ROUNDS = 3;

/** The same numbers in every run, in [0, 1). Mulberry32. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** More than one batch of chunks and fewer than 100, so that one query shows every one. */
const DOCUMENTS: readonly Text[] = [
  { text: longText(580, "the estuary"), source_doc_id: "long" },
  ...Array.from({ length: 6 }, (_, at) => ({
    text: longText(8 + at, `part ${at}`),
    source_doc_id: `short-${at}`,
  })),
];

interface Accepted {
  readonly projectId: string;
  readonly jobIds: readonly string[];
}

async function accept(owner: Client, projectId?: string): Promise<Accepted> {
  const project_id = projectId ?? (await createProject(owner));
  const body = { documents: DOCUMENTS };
  const { jobs } = await owner.succeed("ingestBatch", { params: { project_id }, body });
  return { projectId: project_id, jobIds: jobs.map((job) => job.job_id) };
}

async function processedChunks(owner: Client, { projectId }: Accepted): Promise<number> {
  const { jobs } = await owner.succeed("listJobs", { params: { project_id: projectId } });
  return jobs.reduce((sum, job) => sum + job.chunks_processed, 0);
}

/** Every chunk of a project in a fixed order, with all but what two ingests number differently. */
async function contentOf(owner: Client, projectId: string) {
  const chunks = await placedChunks(owner, projectId);
  assert.ok(chunks.length < 100, "One query must show the whole project.");
  return chunks
    .map(({ source_doc_id, start, end, text }) => ({ source_doc_id, start, end, text }))
    .toSorted((a, b) => a.source_doc_id.localeCompare(b.source_doc_id) || a.start - b.start);
}

/** All jobs complete, and each project holds what an ingest that nothing disturbed makes of the documents. */
async function assertNothingLost(owner: Client, ingests: readonly Accepted[]): Promise<void> {
  const fresh = await createProject(owner);
  const jobs = await ingestAll(owner, fresh, DOCUMENTS);
  const expected = await contentOf(owner, fresh);
  assert.equal(
    expected.length,
    jobs.reduce((sum, job) => sum + job.chunks_processed, 0),
  );
  for (const { projectId, jobIds } of ingests) {
    for (const [at, jobId] of jobIds.entries()) {
      const job = await waitForJob(owner, projectId, jobId);
      assert.equal(job.status, "completed", `${job.source_doc_id}: ${job.error_message}`);
      assert.equal(job.chunks_processed, jobs[at]?.chunks_processed);
    }
    assert.deepEqual(await contentOf(owner, projectId), expected);
  }
}

/**
 * Lets a minute pass for the killed process's leases. The embedded database is locked for one process, so a
 * start takes over what it finds; on PostgreSQL another process could be alive, and a lease must lapse first.
 */
async function lapseLeases(home: Home): Promise<void> {
  if (home.databaseUrl === "") return;
  const client = new pg.Client({ connectionString: home.databaseUrl });
  await client.connect();
  await client.query("update jobs set ready_at = 1 where queue_state = 'running'");
  await client.end();
}

describeOnBoth((setting) => {
  let running: ServiceProcess | null = null;
  const start = async (home: Home) => {
    running = await startProcess(home);
    return running;
  };
  afterEach(async () => {
    await running?.end("SIGKILL");
    running = null;
  });

  test("killed at random moments, the service loses no accepted document and has no chunk twice", async () => {
    await withHome(setting, async (home) => {
      const random = createRandom(20_311);
      const ingests: Accepted[] = [];
      let interrupted = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const service = await start(home);
        const accepted = await accept(service.owner);
        ingests.push(accepted);
        // Anything from nothing done to nearly everything, then a moment inside of whatever is under way.
        const enough = Math.floor(random() * 60);
        const processed = await waitFor(`${enough} chunks`, async () => {
          const count = await processedChunks(service.owner, accepted);
          return count >= enough ? count : null;
        });
        if (processed > 0) interrupted++;
        await new Promise((resolve) => setTimeout(resolve, random() * 150));
        assert.equal((await service.end("SIGKILL")).signal, "SIGKILL");
        await lapseLeases(home);
      }
      assert.ok(interrupted > 0, "No round was in the middle of its work.");
      const { owner } = await start(home);
      await assertNothingLost(owner, ingests);
    });
  });

  test("killed while a document is replaced, the service keeps the old version until the new one is whole", async () => {
    await withHome(setting, async (home) => {
      const old = { text: "The sluice was painted green in 1972.", source_doc_id: "long" };
      const first = await start(home);
      const projectId = await createProject(first.owner);
      await ingestAll(first.owner, projectId, [old]);
      const accepted = await accept(first.owner, projectId);
      const params = { project_id: projectId, job_id: accepted.jobIds[0] ?? "" };
      const partial = await waitFor("a part of the replacement", async () => {
        const job = await first.owner.succeed("getJob", { params });
        return job.chunks_processed > 0 ? job : null;
      });
      await first.end("SIGKILL");
      const second = await start(home);
      const chunks = await placedChunks(second.owner, projectId);
      const job = await second.owner.succeed("getJob", { params });
      const seen = chunks.filter((chunk) => chunk.source_doc_id === "long").map((chunk) => chunk.text);
      if (job.status !== "completed") assert.deepEqual(seen, [old.text]);
      await second.end("SIGKILL");
      await lapseLeases(home);
      const { owner } = await start(home);
      await assertNothingLost(owner, [accepted]);
      const whole = await owner.succeed("getJob", { params });
      assert.ok(partial.chunks_processed < whole.chunks_processed, "The document was done before the kill.");
    });
  });

  test("asked to end while it ingests, the service ends within ten seconds and goes on after the next start", async () => {
    await withHome(setting, async (home) => {
      const service = await start(home);
      const accepted = await accept(service.owner);
      await waitFor("some chunks", async () =>
        (await processedChunks(service.owner, accepted)) > 0 ? true : null,
      );
      const ended = await service.end("SIGTERM");
      assert.deepEqual([ended.code, ended.signal], [0, null], ended.output);
      assert.ok(ended.afterMs < 10_000, `${ended.afterMs} ms`);
      assert.doesNotMatch(ended.output, /"level":"error"/);
      const { owner } = await start(home);
      await assertNothingLost(owner, [accepted]);
    });
  });

  test("an interrupt ends an idle service with code 0", async () => {
    await withHome(setting, async (home) => {
      const service = await start(home);
      const ended = await service.end("SIGINT");
      assert.deepEqual([ended.code, ended.signal], [0, null], ended.output);
    });
  });
});
