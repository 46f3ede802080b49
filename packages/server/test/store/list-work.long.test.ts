/**
 * What one operation of a list walks and reads does not grow with the list. Counted on SQLite, whose only reader the others wait
 * for; that the steps find the same on both databases is in `behaviours/documents.ts`.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { openStore } from "../../src/adapters/database/open-store.ts";
import { newId } from "../../src/domain/ids.ts";
import { CLOSED_SIGN_UP_LIMITS } from "../../src/domain/limits.ts";
import { createDocumentService } from "../../src/services/documents.ts";
import { createFeedbackService } from "../../src/services/feedback.ts";
import { type CountedCall, countCalls } from "../support/count-rows.ts";
import { createScenario, ingest } from "./scenario.ts";

/** Of each document. */
const METADATA = { note: "x".repeat(500), place: "y".repeat(500) };
const CHARACTERS = JSON.stringify(METADATA).length;
/** Those of its ids, states and times. */
const OTHER_CHARACTERS = 300;
/** A step of a walk finds its end, counts and chooses. */
const ROWS_OF_STEP = 3 * 1_024;

async function open(context: TestContext, documents: number) {
  const dataDir = mkdtempSync(join(tmpdir(), "kcs-documents-"));
  context.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const { store } = await openStore({ dataDir, databaseUrl: null });
  context.after(() => store.close());
  const scenario = createScenario(store, "work");
  const project = { ...(await scenario.project()), projectId: newId("prj") };
  await store.createProject({ project, maxPerAccount: 9 });
  const calls: CountedCall[] = [];
  const service = createDocumentService({
    store: countCalls(context, dataDir, calls),
    now: () => 0,
    onDeleted: () => undefined,
    log: { warn: () => undefined },
  });
  const caller = { accountId: project.accountId, via: "api_key" } as const;
  const texts = Array.from({ length: documents }, (_, at) => [`d ${10_000 + at}`, "word", METADATA] as const);
  return {
    ingest: () => ingest(scenario, project, texts),
    accept: () => scenario.accept(project, texts),
    list: async (search: string | null, page: { limit: number; offset: number }) => {
      calls.splice(0);
      const found = await service.list(caller, project.projectId, () => ({ search, ...page }));
      return { ...found, calls: calls.filter(({ name }) => name !== "findProject") };
    },
  };
}

test("one operation of a list of documents reads the metadata of a few, and of each of them once", async (context) => {
  const { ingest: ingestAll, list } = await open(context, 160);
  await ingestAll();
  for (const limit of [40, 160]) {
    const { documents, calls } = await list(null, { limit, offset: 0 });
    assert.deepEqual([documents.length, documents.at(-1)?.seen?.metadata], [limit, METADATA]);
    const characters = calls.map((call) => call.characters);
    const ofStep = 32 * (CHARACTERS + OTHER_CHARACTERS);
    assert.ok(Math.max(...characters) <= ofStep, `${characters} characters, ${ofStep} in a step`);
    const all = characters.reduce((sum, count) => sum + count, 0);
    assert.ok(
      all >= limit * CHARACTERS && all <= limit * (CHARACTERS + OTHER_CHARACTERS),
      `${all} of ${limit}`,
    );
  }
});

test("one operation of a list of documents walks no more of them in a project of four times the size", async (context) => {
  for (const size of [1_100, 4_400]) {
    const { accept, list } = await open(context, size);
    await accept();
    for (const [search, offset, total] of [
      [null, 0, size],
      [null, size - 1, size],
      [null, Number.MAX_SAFE_INTEGER, size],
      ["none", 0, 0],
      [String(10_000 + size - 1), 0, 1],
    ] as const) {
      const found = await list(search, { limit: 5, offset });
      assert.equal(found.total, total);
      const rows = found.calls.map((call) => call.rows);
      assert.ok(Math.max(...rows) <= ROWS_OF_STEP, `${search} ${offset}: ${rows} rows`);
      assert.ok(rows.reduce((sum, count) => sum + count, 0) >= size); // Else the count would not see what is walked.
    }
  }
});

test("one operation of a list of feedback reads a few texts, and each of them once", async (context) => {
  const dataDir = mkdtempSync(join(tmpdir(), "kcs-feedback-"));
  context.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const { store } = await openStore({ dataDir, databaseUrl: null });
  context.after(() => store.close());
  const project = { ...(await createScenario(store, "work").project()), projectId: newId("prj") };
  await store.createProject({ project, maxPerAccount: 9 });
  const { projectId, accountId } = project;
  const ANSWER = "x".repeat(10_000);
  for (let at = 0; at < 100; at++) {
    const given = {
      ...{ rating: "up" as const, query: `q${at}`, mode: "static" as const, answer: ANSWER },
      ...{ strategyUsed: "", sourceDocIds: [], comment: null },
    };
    const ids = { projectId, accountId, feedbackId: `fbk_${at}`, serviceVersion: "1", now: 1 };
    await store.recordFeedback({ ...ids, given, maxPerProject: 100, maxStoredBytes: null });
  }
  const calls: CountedCall[] = [];
  const service = createFeedbackService({
    store: countCalls(context, dataDir, calls),
    limits: CLOSED_SIGN_UP_LIMITS,
    now: () => 0,
  });
  for (const limit of [25, 100]) {
    calls.splice(0);
    const page = { limit, offset: 0 };
    const found = await service.list({ accountId, via: "api_key" }, projectId, () => ({
      rating: null,
      page,
    }));
    assert.equal(found.total, 100);
    const newest = Array.from({ length: limit }, (_, at) => `q${99 - at}`);
    assert.deepEqual(
      found.feedback.map(({ query }) => query),
      newest,
    );
    const characters = calls.map((call) => call.characters);
    // Keys of a whole page have less than four answers.
    assert.ok(Math.max(...characters) <= 4 * (ANSWER.length + OTHER_CHARACTERS), String(characters));
    const all = characters.reduce((sum, count) => sum + count, 0);
    assert.ok(all >= limit * ANSWER.length && all <= limit * (ANSWER.length + OTHER_CHARACTERS), String(all));
  }
});

test("a list of deliveries reads only the beginning of the events", async (context) => {
  const dataDir = mkdtempSync(join(tmpdir(), "kcs-deliveries-"));
  context.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const { store } = await openStore({ dataDir, databaseUrl: null });
  context.after(() => store.close());
  const [accountId, webhookId] = ["acc_1", newId("whk")];
  const webhook = {
    ...{ accountId, webhookId, url: "https://example.com/", events: [], description: null, createdAt: 1 },
    disabled: null,
  };
  await store.createWebhook({ webhook, secret: "secret", maxPerAccount: 1 });
  const event = { type: "project.deleted", at: 1, projectId: "prj_1", name: "x".repeat(10_000) } as const;
  for (const deliveryId of ["msg_1", "msg_2"]) {
    const attempt = { at: 1, durationMs: 1, responseStatus: 500, error: "broken" };
    await store.recordTest({ accountId, webhookId, deliveryId, event, attempt });
  }
  const calls: CountedCall[] = [];
  const counted = countCalls(context, dataDir, calls);
  const page = { limit: 9, offset: 0 };
  const { deliveries, total } = await counted.listDeliveries({ accountId, webhookId, page, status: null });
  assert.equal(total, 2);
  assert.deepEqual(
    deliveries.map(({ subject }) => subject.projectId),
    ["prj_1", "prj_1"],
  );
  assert.ok((calls[0]?.characters ?? 0) < 3_000, `${calls[0]?.characters} characters`);
});
