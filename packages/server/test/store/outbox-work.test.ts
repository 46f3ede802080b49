/** What one event and one archive cost does not grow with what waits, or with a statement for each file. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openStore } from "../../src/adapters/database/open-store.ts";
import { insertRows } from "../../src/adapters/database/operations/bulk.ts";
import { acceptMembers } from "../../src/adapters/database/operations/conversions.ts";
import { failLeftDeliveries, writeEvents } from "../../src/adapters/database/operations/outbox.ts";
import type { Database } from "../../src/adapters/database/schema.ts";
import { MAX_WAITING_DELIVERIES } from "../../src/domain/webhook.ts";
import type { Store } from "../../src/ports/store.ts";
import { counting, type Work } from "../support/count-work.ts";
import { claimFile, receive, sendFiles } from "./behaviours/file-scene.ts";
import { createScenario } from "./scenario.ts";

const WAITING = 1_500;

async function open(context: TestContext) {
  const dataDir = mkdtempSync(join(tmpdir(), "kcs-outbox-"));
  const opened = await openStore({ databaseUrl: null, dataDir });
  context.after(async () => {
    await opened.store.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return { opened, scenario: createScenario(opened.store, "work") };
}

/** A webhook for which events wait. */
async function addWaiting(input: {
  readonly store: Store;
  readonly db: Database;
  readonly accountId: string;
  readonly webhookId: string;
}): Promise<void> {
  const { store, db, accountId, webhookId } = input;
  const webhook = {
    ...{ webhookId, accountId, url: "https://hooks.example/in", events: ["project.deleted" as const] },
    ...{ description: null, createdAt: 1_000, disabled: null },
  };
  await store.createWebhook({ webhook, secret: "whsec_c2VjcmV0", maxPerAccount: 5 });
  const rows = Array.from({ length: WAITING }, (_, at) => ({
    ...{
      account_id: accountId,
      webhook_id: webhookId,
      delivery_id: `${at}`,
      event_type: "project.deleted",
    },
    ...{ event: "{}", status: "pending" as const, attempts: 0, created_at: 1, next_at: 1, last_at: null },
    ...{ duration_ms: null, response_status: null, error: null },
  }));
  await insertRows(db, "webhook_deliveries", rows);
}

test("an event that disables all webhooks of an account leaves their deliveries to steps of upkeep", async (context) => {
  const { opened, scenario } = await open(context);
  const { store } = opened;
  const { projectId, accountId, name } = await scenario.project();
  const work: Work = { statements: 0, rows: 0 };
  const db = counting(opened, work);
  const webhookIds = ["one", "two", "three"];
  for (const webhookId of webhookIds) {
    await addWaiting({ store, db, accountId, webhookId });
  }
  await db.updateTable("webhooks").set({ pending: MAX_WAITING_DELIVERIES }).execute();
  work.rows = 0;
  await writeEvents(db, accountId, [{ type: "project.deleted", at: 2_000, projectId, name }]);
  assert.ok(work.rows < 100, `${work.rows} rows`);
  const read = async () => {
    const webhooks = await store.listWebhooks({ accountId });
    const waiting = await db
      .selectFrom("webhook_deliveries")
      .select("seq")
      .where("next_at", "is not", null)
      .execute();
    return [webhooks.filter(({ disabled }) => disabled !== null).length, waiting.length];
  };
  assert.deepEqual(await read(), [3, 3 * WAITING]);
  assert.deepEqual(
    await store.nextDelivery({ now: 3_000, mostOfAccount: 4 }),
    { readyNow: false },
    "a disabled one is not sent to",
  );
  assert.equal((await store.nextUpkeep({ now: 3_000, minSegments: 1_000 })).readyNow, true);
  const [changed = "", tested = ""] = webhookIds;
  await store.changeWebhook({ accountId, webhookId: changed, change: { isEnabled: true }, now: 4_000 });
  assert.deepEqual(
    await read(),
    [2, 2 * WAITING],
    "what waited before is not sent after it is enabled again",
  );
  const event = { type: "webhook.test" as const, at: 4_000, webhookId: tested };
  const attempt = { at: 4_000, durationMs: 1, responseStatus: 200, error: null };
  await store.recordTest({ accountId, webhookId: tested, deliveryId: "test", event, attempt });
  assert.deepEqual(await read(), [1, WAITING], "nor after a test has enabled it");
  assert.equal(await failLeftDeliveries(db), true);
  assert.deepEqual(await read(), [1, WAITING - 1_000]);
  while (await failLeftDeliveries(db));
  assert.deepEqual(await read(), [1, 0]);
  const page = { limit: 1, offset: 0 };
  const { deliveries } = await store.listDeliveries({ accountId, webhookId: "three", page, status: null });
  assert.deepEqual([deliveries[0]?.status, deliveries[0]?.nextAttemptAt], ["failed", null]);
});

test("an owner who disables a webhook fails the deliveries of one step, and upkeep the others", async (context) => {
  const { opened, scenario } = await open(context);
  const { store } = opened;
  const { accountId } = await scenario.project();
  const work: Work = { statements: 0, rows: 0 };
  const db = counting(opened, work);
  const webhookId = "one";
  await addWaiting({ store, db, accountId, webhookId });
  const countWaiting = async () => {
    const page = { limit: 1, offset: 0 };
    return (await store.listDeliveries({ accountId, webhookId, page, status: "pending" })).total;
  };
  await store.changeWebhook({ accountId, webhookId, change: { isEnabled: false }, now: 3_000 });
  assert.equal(await countWaiting(), WAITING - 1_000);
  assert.deepEqual(await store.nextDelivery({ now: 4_000, mostOfAccount: 4 }), { readyNow: false });
  assert.equal((await store.nextUpkeep({ now: 4_000, minSegments: 1_000 })).readyNow, true);
  while (await failLeftDeliveries(db));
  assert.equal(await countWaiting(), 0);
});

test("the members of an archive are accepted without a statement for each", async (context) => {
  const { opened, scenario } = await open(context);
  const project = await scenario.project();
  const statementsOf = async (count: number) => {
    const [jobId = ""] = await sendFiles(scenario, project, [[`${count}.zip`, ["PK"]]]);
    const { leaseToken } = await claimFile(scenario);
    const members = [];
    for (let at = 0; at < count; at++) {
      const content = await receive(scenario, project, { pieces: [`${count}/${at}`] });
      members.push({ ...content, jobId: scenario.id("job"), sourceDocId: `${count}/${at}`, name: "x" });
    }
    const work: Work = { statements: 0, rows: 0 };
    const { projectId } = project;
    const input = {
      projectId,
      jobId,
      leaseToken,
      now: 3_000,
      members,
      maxPendingJobs: null,
      maxStoredBytes: null,
    };
    assert.equal(await acceptMembers(counting(opened, work), input), "stored");
    for (let at = 0; at < count; at++) await claimFile(scenario, 3_000);
    return work.statements;
  };
  const [few, many] = [await statementsOf(64), await statementsOf(256)];
  assert.ok(many < 100, `${few}, then ${many} statements`);
});

test("the waiting jobs of a deleted project go in steps, which claims take, too, and hold up no other project of the account", async (context) => {
  const { opened, scenario } = await open(context);
  const { store } = opened;
  const deleted = await scenario.project();
  const { accountId } = deleted;
  const other = await scenario.project({ accountId });
  const documents = Array.from({ length: 2_100 }, (_, at) => [`${at}`, "one"] as const);
  for (let from = 0; from < documents.length; from += 700)
    await scenario.accept(deleted, documents.slice(from, from + 700));
  await scenario.accept(other, [["kept", "one"]]);
  assert.equal(await store.deleteProject({ projectId: deleted.projectId }), true);
  const db = counting(opened, { statements: 0, rows: 0 });
  const waiting = async () => {
    const jobs = await db.selectFrom("jobs").select("seq").where("queue_state", "<>", "done").execute();
    const counted = await db
      .selectFrom("account_state")
      .select("pending_jobs")
      .where("account_id", "=", accountId)
      .executeTakeFirstOrThrow();
    assert.equal(counted.pending_jobs, jobs.length);
    return jobs.length;
  };
  assert.equal(await waiting(), 1_101);
  const claims: string[] = [];
  for (let at = 0; at < 4; at++) {
    const { jobs } = await scenario.claim({ now: 9_000 });
    claims.push(...jobs.map(({ sourceDocId }) => sourceDocId));
  }
  assert.deepEqual(claims, ["kept"]);
  assert.equal(await waiting(), 1);
});
