import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import pg from "pg";
import { openStore } from "../../src/adapters/database/open-store.ts";
import { assertFault, type Client } from "../support/http-client.ts";
import {
  createProject,
  ingest,
  ingestAll,
  longText,
  type PlacedChunk,
  placedChunks,
  waitFor,
  waitForJob,
} from "../support/ingestion.ts";
import {
  describeOnBoth,
  type Home,
  type Setting,
  useService,
  withHome,
  withService,
} from "../support/service.ts";

const ID = "manual";
const OLD = { text: "The crane lifts four tonnes. Its operator is Ilse Brandvik.", source_doc_id: ID };
const LONG = { text: longText(640, "the crane"), source_doc_id: ID };

async function textsOf(owner: Client, projectId: string, query?: string): Promise<ReadonlySet<string>> {
  return new Set((await placedChunks(owner, projectId, query)).map((chunk) => chunk.text));
}

/** Chunks in the order of the document, without what differs between two ingests of it. */
function inOrder(chunks: readonly PlacedChunk[]) {
  return chunks.map(({ text, start, end }) => ({ text, start, end })).toSorted((a, b) => a.start - b.start);
}

/** Runs SQL on the database of a service that has not been started yet. */
async function prepare(
  setting: Setting,
  home: Home,
  statements: { sqlite: string; postgres: readonly string[] },
): Promise<void> {
  if (setting.database === "sqlite") {
    const { store } = await openStore({ databaseUrl: null, dataDir: home.dataDir });
    await store.close();
    const connection = new DatabaseSync(join(home.dataDir, "knowledge.sqlite"));
    connection.exec(statements.sqlite);
    connection.close();
    return;
  }
  const client = new pg.Client({ connectionString: home.databaseUrl });
  await client.connect();
  // Citus takes one at a time.
  for (const statement of statements.postgres) await client.query(statement);
  await client.end();
}

describeOnBoth((setting) => {
  const use = useService(setting);

  test("a first version can be found batch by batch while it is still ingested", async () => {
    const { owner } = use();
    const project_id = await createProject(owner);
    const params = { project_id, job_id: await ingest(owner, project_id, LONG) };
    await waitFor("a visible part", async () => {
      const chunks = await placedChunks(owner, project_id);
      const job = await owner.succeed("getJob", { params });
      if (chunks.length > 0 && job.status === "running") return chunks;
      assert.notEqual(job.status, "completed", "The document was done before any part of it was seen.");
      return null;
    });
    assert.equal((await waitForJob(owner, project_id, params.job_id)).status, "completed");
  });

  test("the old version answers until the whole new one takes its place at once", async () => {
    const { owner } = use();
    const project_id = await createProject(owner);
    await ingestAll(owner, project_id, [OLD]);
    const params = { project_id, job_id: await ingest(owner, project_id, LONG) };
    let looksWhileRunning = 0;
    const ended = await waitFor("the replacement", async () => {
      const chunks = await placedChunks(owner, project_id, "Who operates the crane?");
      const job = await owner.succeed("getJob", { params });
      if (job.status === "completed") return job;
      assert.deepEqual(
        chunks.map((chunk) => chunk.text),
        [OLD.text],
      );
      if (job.status === "running" && job.chunks_processed > 0) looksWhileRunning++;
      return null;
    });
    assert.ok(looksWhileRunning > 0);
    const chunks = await placedChunks(owner, project_id, "Who operates the crane?");
    assert.equal(chunks.length, ended.chunks_processed);
    assert.ok(!chunks.some((chunk) => chunk.text === OLD.text));
    const fresh = await createProject(owner);
    await ingestAll(owner, fresh, [LONG]);
    assert.deepEqual(inOrder(chunks), inOrder(await placedChunks(owner, fresh)));
  });

  test("an identical text is accepted, completes with the document's chunk count and changes nothing", async () => {
    const { owner } = use();
    const project_id = await createProject(owner);
    const text = longText(60, "a twin");
    const [first] = await ingestAll(owner, project_id, [{ text, source_doc_id: ID }]);
    const before = await placedChunks(owner, project_id);
    const accepted = await owner.succeed("ingest", {
      params: { project_id },
      body: { text, source_doc_id: ID },
    });
    assert.equal(accepted.status, "pending");
    const again = await waitForJob(owner, project_id, accepted.job_id);
    assert.equal(again.status, "completed");
    assert.equal(again.chunks_processed, first?.chunks_processed);
    assert.deepEqual([again.nodes_created, again.edges_created], [0, 0]);
    assert.ok(again.started_at !== null && again.completed_at !== null);
    assert.deepEqual(await placedChunks(owner, project_id), before);
  });

  test("the same text under another id is another document", async () => {
    const { owner } = use();
    const project_id = await createProject(owner);
    await ingestAll(owner, project_id, [OLD, { ...OLD, source_doc_id: "copy" }]);
    const sources = (await placedChunks(owner, project_id)).map((chunk) => chunk.source_doc_id);
    assert.deepEqual(new Set(sources), new Set([ID, "copy"]));
  });

  test("versions sent one after the other are taken in that order, and the last one stays", async () => {
    const { owner } = use();
    const project_id = await createProject(owner);
    const documents = Array.from({ length: 12 }, (_, at) => ({
      text: `Edition ${at} of the manual.`,
      source_doc_id: ID,
    }));
    const jobs = await ingestAll(owner, project_id, [...documents, documents[3] ?? OLD]);
    assert.deepEqual([...(await textsOf(owner, project_id))], ["Edition 3 of the manual."]);
    const ends = jobs.map((job) => Date.parse(job.completed_at ?? ""));
    assert.deepEqual(
      ends,
      ends.toSorted((a, b) => a - b),
    );
  });

  test("a shorter version leaves nothing of the longer one, in no project but its own", async () => {
    const { owner } = use();
    const [project_id, other] = [await createProject(owner), await createProject(owner)];
    const long = { text: longText(80, "a barge"), source_doc_id: ID };
    await ingestAll(owner, project_id, [long]);
    await ingestAll(owner, other, [long]);
    const kept = await textsOf(owner, other);
    await ingestAll(owner, project_id, [OLD]);
    assert.deepEqual([...(await textsOf(owner, project_id))], [OLD.text]);
    assert.deepEqual(await textsOf(owner, other), kept);
  });

  test("deleting a project while its text is ingested stops the job and leaves nothing behind", async () => {
    const { owner, nobody, logged } = use();
    const project_id = await createProject(owner);
    const text = longText(1500, "the doomed");
    const params = { project_id, job_id: await ingest(owner, project_id, { text, source_doc_id: ID }) };
    await ingest(owner, project_id, { text: "And one that waits.", source_doc_id: "waiting" });
    await waitFor("some chunks", async () => {
      const job = await owner.succeed("getJob", { params });
      return job.chunks_processed > 0 ? job : null;
    });
    await owner.succeed("deleteProject", { params });
    assertFault(await owner.endpoint("getJob", { params }), 404, `Project ${project_id} not found`);
    const next = await createProject(owner);
    await ingestAll(owner, next, [OLD]);
    assert.deepEqual([...(await textsOf(owner, next))], [OLD.text]);
    await waitFor("no unfinished job", async () => {
      const { text: metrics } = await nobody.root("GET", "/metrics");
      const jobs = metrics
        .split("\n")
        .filter((line) => /^kcs_jobs\w*(\{.*(pending|running).*\}|_pending|_running) /.test(line));
      assert.ok(jobs.length >= 2, metrics);
      return jobs.every((line) => line.endsWith(" 0")) ? jobs : null;
    });
    assert.deepEqual(
      logged.filter((entry) => entry.level === "error"),
      [],
    );
  });

  test("a delete that fails answers the documented 500 and takes nothing away", async () => {
    await withHome(setting, async (home) => {
      // Deletions fail while there are few projects. Citus has no triggers on tables that it distributes.
      const table = setting.database === "citus" ? "projects" : "chunks";
      await prepare(setting, home, {
        sqlite: `create trigger fault before delete on chunks when (select count(*) from projects) < 3
          begin select raise(abort, 'a bad sector'); end`,
        postgres: [
          `create function fault() returns trigger language plpgsql as $$ begin
            if (select count(*) from projects) < 3 then raise exception 'a bad sector'; end if; return old; end $$`,
          `create trigger fault before delete on ${table} for each row execute function fault()`,
        ],
      });
      await withService({ home }, async ({ owner }) => {
        const project_id = await createProject(owner);
        const params = { project_id };
        await ingestAll(owner, project_id, [OLD]);
        const reply = await owner.endpoint("deleteProject", { params });
        assertFault(reply, 500, /^Failed to delete vector data: .*a bad sector/);
        await owner.succeed("getProject", { params });
        assert.equal((await owner.succeed("listJobs", { params })).total, 1);
        assert.deepEqual([...(await textsOf(owner, project_id))], [OLD.text]);
        for (let made = 0; made < 3; made++) await createProject(owner);
        await owner.succeed("deleteProject", { params });
      });
    });
  });
});
