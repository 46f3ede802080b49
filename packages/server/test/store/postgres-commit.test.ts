/** A batch's chunks are written before its project is locked, and gone where the batch is refused. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { sql } from "kysely";
import { openStore } from "../../src/adapters/database/open-store.ts";
import { usePostgres } from "../support/postgres.ts";
import { commit, createScenario, month, visibleWords } from "./scenario.ts";

const postgres = usePostgres();

async function setUp(context: TestContext) {
  const connections = { total: 20, queryThreads: 1 };
  const opened = await openStore({ databaseUrl: await postgres.create(), dataDir: "", connections });
  const { store } = opened;
  context.after(() => store.close());
  const { db } = opened.authDatabase();
  const scenario = createScenario(store, "commit");
  const project = await scenario.project();
  await scenario.accept(project, [["a", "one two three"]]);
  const countChunks = async () =>
    (await sql`select 1 from chunks where project_id = ${project.projectId}`.execute(db)).rows.length;
  return { store, db, scenario, project, countChunks, claimed: await scenario.claim() };
}

type Scene = Awaited<ReturnType<typeof setUp>>;

/** Commits while another transaction holds the project, which ends with `act` once the chunks are written. */
async function commitBehind({ store, db, project, claimed }: Scene, act: () => Promise<void>) {
  let outcome: Promise<string> = Promise.resolve("");
  await db.transaction().execute(async (holder) => {
    await sql`select 1 from projects where project_id = ${project.projectId} for update`.execute(holder);
    outcome = commit(store, claimed, { tokens: 3, tokenLimit: 10 });
    const hasWritten = async () => {
      const { rows } = await sql`select 1 from pg_locks l join pg_class c on c.oid = l.relation
        join pg_stat_activity a on a.pid = l.pid
        where c.relname = 'chunks' and l.mode = 'RowExclusiveLock' and a.wait_event_type = 'Lock'`.execute(
        holder,
      );
      return rows.length > 0;
    };
    while (!(await hasWritten())) assert.equal(await Promise.race([outcome, "waits"]), "waits");
    assert.equal((await store.readCounts()).lockWaits, 1);
    await act();
  });
  await outcome;
  assert.equal((await store.readCounts()).lockWaits, 0);
  return outcome;
}

test("a commit writes its chunks while another worker holds the project", async (context) => {
  const scene = await setUp(context);
  assert.equal(await commitBehind(scene, async () => undefined), "committed");
  assert.deepEqual(await visibleWords(scene.store, scene.project.projectId), { a: ["one", "two", "three"] });
});

test("a commit that loses its lease meanwhile leaves no chunk", async (context) => {
  const scene = await setUp(context);
  const { store, claimed, countChunks, scenario } = scene;
  const release = async () => void (await store.releaseJobs({ leaseToken: claimed.leaseToken }));
  assert.equal(await commitBehind(scene, release), "lease_lost");
  assert.equal(await countChunks(), 0);
  const again = await scenario.claim();
  assert.equal(await commit(store, again), "committed");
  // The first worker comes back with chunks that are there.
  assert.equal(await commit(store, claimed), "lease_lost");
  assert.equal(await countChunks(), 3);
});

test("a batch over the token limit leaves no chunk, and its job has failed", async (context) => {
  const { store, project, claimed, countChunks } = await setUp(context);
  const input = { accountId: project.accountId, month };
  assert.equal(await commit(store, claimed, { count: 1, tokens: 5, tokenLimit: 5 }), "committed");
  assert.equal((await store.readTokenUse(input)) >= 5, true);
  const [job] = claimed.jobs;
  assert.ok(job);
  assert.equal(await commit(store, claimed, { job, from: 1, tokens: 2, tokenLimit: 5 }), "token_limit");
  assert.equal(await countChunks(), 1);
  const { jobId } = job;
  assert.equal((await store.findJob({ projectId: project.projectId, jobId }))?.status, "failed");
});
