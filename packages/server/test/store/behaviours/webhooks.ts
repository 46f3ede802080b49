import assert from "node:assert/strict";
import type { Project } from "../../../src/domain/project.ts";
import {
  DISABLED_BY_OWNER,
  type EventType,
  KEPT_DELIVERIES,
  type Webhook,
  type WebhookChange,
} from "../../../src/domain/webhook.ts";
import { type Behaviour, commit, ingest, LONG_AGO, type Scenario } from "../scenario.ts";

const ALL: readonly EventType[] = ["job.completed", "job.failed", "project.deleted"];
const ACCEPTED = { durationMs: 12, responseStatus: 200, error: null };
const MOST = 4;
const REFUSED = { durationMs: 34, responseStatus: 500, error: "The receiver answered 500" };

async function webhookOf(
  { store, id }: Scenario,
  { accountId }: Pick<Project, "accountId">,
  events: readonly EventType[] = ALL,
): Promise<Webhook> {
  const webhook: Webhook = {
    ...{ webhookId: id("webhook"), accountId, url: "https://hooks.example/in", events },
    ...{ description: null, createdAt: 1_000, disabled: null },
  };
  assert.equal(await store.createWebhook({ webhook, secret: "whsec_c2VjcmV0", maxPerAccount: 5 }), "created");
  return webhook;
}

/** Claims for the account of this webhook alone: those of other behaviours have nothing due. */
async function take({ store, id }: Scenario, now: number, { limit = 10, mostOfAccount = MOST } = {}) {
  const leaseToken = id("delivery-lease");
  const claimed = await store.claimDeliveries({
    leaseToken,
    now,
    leaseUntil: now + 60_000,
    limit,
    mostOfAccount,
  });
  return claimed === null ? null : { leaseToken, ...claimed };
}

/** What happened to each, newest first. */
async function log({ store }: Scenario, { accountId, webhookId }: Webhook) {
  const page = { limit: 1_000, offset: 0 };
  return (await store.listDeliveries({ accountId, webhookId, page, status: null })).deliveries;
}

async function remove({ store }: Scenario, { accountId, webhookId }: Webhook): Promise<void> {
  assert.equal(await store.deleteWebhook({ accountId, webhookId }), true);
}

export const webhookBehaviours: readonly Behaviour[] = [
  [
    "webhooks are found and listed by their own account alone, up to as many as it may have",
    async (scenario) => {
      const { store, id } = scenario;
      const accountId = id("account");
      const first = await webhookOf(scenario, { accountId }, ["job.failed"]);
      const second = await webhookOf(scenario, { accountId });
      assert.deepEqual(await store.listWebhooks({ accountId }), [second, first]);
      const { webhookId } = first;
      assert.deepEqual(await store.findWebhook({ accountId, webhookId }), {
        webhook: first,
        secret: "whsec_c2VjcmV0",
      });
      const stranger = { accountId: id("account"), webhookId };
      assert.equal(await store.findWebhook(stranger), null);
      assert.equal(await store.deleteWebhook(stranger), false);
      const third = { webhook: { ...first, webhookId: id("webhook") }, secret: "x", maxPerAccount: 2 };
      assert.equal(await store.createWebhook(third), "too_many");
      for (const webhook of [first, second]) await remove(scenario, webhook);
      assert.deepEqual(await store.listWebhooks({ accountId }), []);
    },
  ],
  [
    "what happens in an account is written for those of its webhooks that want it",
    async (scenario) => {
      const { store, accept, claim } = scenario;
      const project = await scenario.project();
      const all = await webhookOf(scenario, project);
      const failures = await webhookOf(scenario, project, ["job.failed"]);
      const stranger = await webhookOf(scenario, { accountId: scenario.id("account") });
      await ingest(scenario, project, [["a", "one"]]);
      const odd = '"jobId":"b\\';
      const { jobIds } = await accept(project, [[odd, "two"]]);
      const held = await claim();
      await store.failJobs({
        ...{ jobIds, projectId: project.projectId, leaseToken: held.leaseToken, now: 4_000 },
        ...{ errorMessage: "broken", retryAt: null },
      });
      await store.deleteProject({ projectId: project.projectId, now: 5_000 });
      const types = async (webhook: Webhook) => (await log(scenario, webhook)).map(({ type }) => type);
      assert.deepEqual(await types(all), ["project.deleted", "job.failed", "job.completed"]);
      assert.deepEqual(await types(failures), ["job.failed"]);
      const [ended, broken] = await log(scenario, all);
      const { projectId } = project;
      assert.deepEqual(ended?.subject, { projectId, jobId: null, sourceDocId: null });
      assert.deepEqual(broken?.subject, { projectId, jobId: jobIds[0], sourceDocId: odd });
      assert.deepEqual(
        await store.listDeliveries({ ...all, page: { limit: 9, offset: 0 }, status: "failed" }),
        {
          ...{ deliveries: [], total: 0 },
        },
      );
      assert.deepEqual(await types(stranger), []);
      const claimed = [await take(scenario, 9_000), await take(scenario, 9_000), await take(scenario, 9_000)];
      const taken = claimed.find((one) => one?.webhookId === all.webhookId);
      assert.equal(claimed[2], null);
      assert.deepEqual(
        taken?.deliveries.map(({ event }) => event.type),
        ["job.completed", "job.failed", "project.deleted"],
      );
      const [, failed, deleted] = taken?.deliveries ?? [];
      assert.ok(failed?.event.type === "job.failed" && deleted?.event.type === "project.deleted");
      assert.deepEqual([failed.event.at, failed.event.job.errorMessage], [4_000, "broken"]);
      assert.deepEqual(deleted.event, {
        ...{ type: "project.deleted", at: 5_000, projectId: project.projectId, name: project.name },
      });
      for (const webhook of [all, failures, stranger]) await remove(scenario, webhook);
    },
  ],
  [
    "a batch that is not committed leaves no event behind",
    async (scenario) => {
      const { store, accept, claim } = scenario;
      const project = await scenario.project();
      const webhook = await webhookOf(scenario, project);
      await accept(project, [["a", "one"]]);
      const held = await claim();
      assert.equal(await commit(store, held, { leaseToken: "another" }), "lease_lost");
      assert.deepEqual(await log(scenario, webhook), []);
      assert.deepEqual(await store.nextDelivery({ now: 1e6, mostOfAccount: MOST }), { readyNow: false });
      assert.equal(await commit(store, held), "committed");
      assert.equal((await log(scenario, webhook)).length, 1);
      assert.deepEqual(await store.nextDelivery({ now: 1e6, mostOfAccount: MOST }), { readyNow: true });
      await remove(scenario, webhook);
    },
  ],
  [
    "a webhook is delivered to by one at a time; a lease that lapses leaves its deliveries to the next",
    async (scenario) => {
      const { store } = scenario;
      const project = await scenario.project();
      const webhook = await webhookOf(scenario, project);
      await ingest(scenario, project, [["a", "one"]]);
      const first = await take(scenario, 10_000);
      assert.equal(await take(scenario, 69_999), null);
      const second = await take(scenario, 70_000);
      assert.deepEqual(second?.deliveries, first?.deliveries);
      const [delivery] = second?.deliveries ?? [];
      const attempt = { deliveryId: delivery?.deliveryId ?? "", attempt: { at: 70_001, ...ACCEPTED } };
      const record = (leaseToken = "") =>
        store.recordAttempt({ ...attempt, leaseToken, nextAttemptAt: null });
      assert.equal(await record(first?.leaseToken), false);
      assert.equal(await record(second?.leaseToken), true);
      assert.equal(await record(second?.leaseToken), false);
      await store.releaseWebhook({ leaseToken: second?.leaseToken ?? "", readyAt: 0 });
      assert.equal(await take(scenario, 1e9), null);
      const [ended] = await log(scenario, webhook);
      assert.deepEqual([ended?.status, ended?.attempts, ended?.nextAttemptAt], ["delivered", 1, null]);
      assert.deepEqual(ended?.lastAttempt, { at: 70_001, ...ACCEPTED });
      await ingest(scenario, project, [["b", "two"]]);
      await take(scenario, 80_000);
      await store.expireAllLeases({ now: LONG_AGO });
      assert.notEqual(await take(scenario, 80_001), null);
      await remove(scenario, webhook);
    },
  ],
  [
    "turns go to the account with the fewest, and one account has no more than its share of them",
    async (scenario) => {
      const { store } = scenario;
      const crowded = await scenario.project();
      const busy: Webhook[] = [];
      for (let at = 0; at <= MOST; at++) busy.push(await webhookOf(scenario, crowded));
      await ingest(scenario, crowded, [["a", "one"]]);
      const other = await scenario.project();
      const quiet = await webhookOf(scenario, other);
      await ingest(scenario, other, [["a", "one"]]);
      const first = await take(scenario, 10_000);
      const second = await take(scenario, 10_000);
      assert.deepEqual(
        new Set([first?.accountId, second?.accountId]),
        new Set([crowded.accountId, quiet.accountId]),
      );
      const others = [];
      for (let claim = await take(scenario, 10_000); claim !== null; claim = await take(scenario, 10_000))
        others.push(claim);
      assert.equal(others.length, MOST - 1);
      assert.ok(others.every(({ accountId }) => accountId === crowded.accountId));
      assert.deepEqual(await store.nextDelivery({ now: 10_000, mostOfAccount: MOST }), { readyNow: false });
      await store.releaseWebhook({ leaseToken: others[0]?.leaseToken ?? "", readyAt: 90_000 });
      assert.deepEqual(await store.nextDelivery({ now: 10_000, mostOfAccount: MOST }), { readyNow: true });
      // What is kept for accounts without a turn.
      assert.deepEqual(await store.nextDelivery({ now: 10_000, mostOfAccount: 1 }), { readyNow: false });
      assert.equal(await take(scenario, 10_000, { mostOfAccount: 1 }), null);
      assert.equal((await take(scenario, 10_000))?.accountId, crowded.accountId);
      // Leases that have lapsed take no place.
      assert.notEqual(await take(scenario, 70_001), null);
      for (const webhook of [...busy, quiet]) await remove(scenario, webhook);
    },
  ],
  [
    "a refused delivery waits for its time, and its webhook until it is released",
    async (scenario) => {
      const { store } = scenario;
      const project = await scenario.project();
      const webhook = await webhookOf(scenario, project);
      await ingest(scenario, project, [
        ["a", "one"],
        ["b", "two"],
      ]);
      const held = await take(scenario, 10_000);
      assert.ok(held);
      const { leaseToken } = held;
      const [first, second] = held.deliveries;
      await store.recordAttempt({
        ...{ leaseToken, deliveryId: first?.deliveryId ?? "", nextAttemptAt: 15_000 },
        attempt: { at: 10_001, ...REFUSED },
      });
      await store.releaseWebhook({ leaseToken, readyAt: 12_000 });
      assert.equal(await take(scenario, 11_999), null);
      const next = await take(scenario, 12_000);
      assert.deepEqual(
        next?.deliveries.map(({ deliveryId }) => deliveryId),
        [second?.deliveryId],
      );
      assert.equal(next?.failures, 1);
      await store.releaseWebhook({ leaseToken: next?.leaseToken ?? "", readyAt: 12_000 });
      const both = await take(scenario, 15_000);
      assert.deepEqual(
        both?.deliveries.map(({ deliveryId, attempts }) => [deliveryId, attempts]),
        [
          [second?.deliveryId, 0],
          [first?.deliveryId, 1],
        ],
      );
      const lease = { leaseToken: both?.leaseToken ?? "" };
      await store.recordAttempt({
        ...{ ...lease, deliveryId: second?.deliveryId ?? "", nextAttemptAt: null },
        attempt: { at: 15_000, ...ACCEPTED },
      });
      await store.releaseWebhook({ ...lease, readyAt: 15_000 });
      const last = await take(scenario, 15_000);
      assert.equal(last?.deliveries.length, 1);
      await remove(scenario, webhook);
      assert.equal(
        await store.recordAttempt({
          ...{ leaseToken: last?.leaseToken ?? "", deliveryId: first?.deliveryId ?? "", nextAttemptAt: null },
          attempt: { at: 15_001, ...ACCEPTED },
        }),
        false,
      );
    },
  ],
  [
    "a clock that was set back holds up neither a webhook nor what waited for it",
    async (scenario) => {
      const { store } = scenario;
      const project = await scenario.project();
      const webhook = await webhookOf(scenario, project);
      await ingest(scenario, project, [["a", "one"]]);
      const hour = 3_600_000;
      const before = 2 * hour;
      const held = await take(scenario, before);
      const refuse = async (turn: typeof held, at: number, nextAttemptAt: number) =>
        store.recordAttempt({
          ...{ leaseToken: turn?.leaseToken ?? "", deliveryId: turn?.deliveries[0]?.deliveryId ?? "" },
          ...{ nextAttemptAt, attempt: { at, ...REFUSED } },
        });
      await refuse(held, before, before + hour);
      await store.releaseWebhook({ leaseToken: held?.leaseToken ?? "", readyAt: before + 60_000 });
      const now = before - hour;
      const kept = before + 60_000 - 10 * 60_000;
      assert.deepEqual(await store.nextDelivery({ now: kept, mostOfAccount: MOST }), { readyNow: false });
      assert.equal(await take(scenario, kept), null);
      assert.deepEqual(await store.nextDelivery({ now, mostOfAccount: MOST }), { readyNow: true });
      const next = await take(scenario, now);
      assert.deepEqual(
        next?.deliveries,
        held?.deliveries.map((each) => ({ ...each, attempts: 1 })),
      );
      // The lease began now, so nobody else has the webhook.
      assert.equal(await take(scenario, now), null);

      // The clock is set back again while the webhook is leased.
      await refuse(next, now, now + hour);
      const earlier = now - hour / 2;
      await store.releaseWebhook({ leaseToken: next?.leaseToken ?? "", readyAt: earlier });
      assert.equal((await take(scenario, earlier))?.deliveries.length, 1);
      await remove(scenario, webhook);
    },
  ],
  [
    "a disabled webhook is sent nothing, and a test that succeeds enables it again",
    async (scenario) => {
      const { store } = scenario;
      const project = await scenario.project();
      const webhook = await webhookOf(scenario, project);
      const { accountId, webhookId } = webhook;
      await ingest(scenario, project, [["a", "one"]]);
      const held = await take(scenario, 10_000);
      const leaseToken = held?.leaseToken ?? "";
      const disabling = { leaseToken, reason: `It failed nine times\0${"x".repeat(5_000)}`, now: 11_000 };
      const deliveryId = held?.deliveries[0]?.deliveryId ?? "";
      await store.recordAttempt({
        leaseToken,
        deliveryId,
        attempt: { at: 10_500, ...ACCEPTED },
        nextAttemptAt: 20_000,
      });
      assert.equal(await store.disableWebhook({ ...disabling, unlessDeliveredSince: 10_500 }), false);
      assert.equal(await store.disableWebhook({ ...disabling, unlessDeliveredSince: 10_501 }), true);
      const disabled = { reason: `It failed nine times ${"x".repeat(1_978)}…`, at: 11_000 };
      assert.deepEqual(await store.listWebhooks({ accountId }), [{ ...webhook, disabled }]);
      await store.releaseWebhook({ leaseToken, readyAt: 0 });
      await ingest(scenario, project, [["b", "two"]]);
      assert.equal(await take(scenario, 1e9), null);
      assert.deepEqual(
        (await log(scenario, webhook)).map(({ status }) => status),
        ["failed"],
      );
      const event = { type: "webhook.test", at: 12_000, webhookId } as const;
      const test = { accountId, webhookId, event };
      const refused = { at: 12_000, ...REFUSED, error: `It says\n${"x".repeat(5_000)}` };
      await store.recordTest({ ...test, deliveryId: "msg_1", attempt: refused });
      const errors = (await log(scenario, webhook)).map(({ lastAttempt }) => lastAttempt?.error);
      assert.equal(errors[0], `It says ${"x".repeat(1_991)}…`);
      assert.notEqual((await store.listWebhooks({ accountId }))[0]?.disabled, null);
      await store.recordTest({ ...test, deliveryId: "msg_2", attempt: { at: 12_001, ...ACCEPTED } });
      assert.deepEqual(await store.listWebhooks({ accountId }), [webhook]);
      await ingest(scenario, project, [["c", "three"]]);
      assert.equal((await take(scenario, 1e9))?.deliveries.length, 1);
      await remove(scenario, webhook);
      await store.recordTest({ ...test, deliveryId: "msg_3", attempt: { at: 12_002, ...ACCEPTED } });
      assert.deepEqual(await log(scenario, webhook), []);
    },
  ],
  [
    "a webhook is changed in what is given, and what waits for it goes to its new URL alone",
    async (scenario) => {
      const { store } = scenario;
      const project = await scenario.project();
      const webhook = await webhookOf(scenario, project);
      const { accountId, webhookId } = webhook;
      const change = (given: WebhookChange, of = accountId) =>
        store.changeWebhook({ accountId: of, webhookId, change: given, now: 11_000 });
      await ingest(scenario, project, [["a", "one"]]);
      const held = await take(scenario, 10_000);
      assert.equal(await change({ url: "https://hooks.example/stolen" }, scenario.id("account")), null);
      const url = "https://hooks.example/other";
      assert.deepEqual(await change({ description: "Pager", events: ["job.failed"] }), {
        ...{ ...webhook, description: "Pager", events: ["job.failed"] },
      });
      assert.equal(await take(scenario, 10_001), null);
      const moved = { ...webhook, url, events: ["job.failed"] as const };
      assert.deepEqual(await change({ url, description: null }), moved);
      assert.deepEqual(await store.findWebhook({ accountId, webhookId }), {
        webhook: moved,
        secret: "whsec_c2VjcmV0",
      });
      const late = { deliveryId: held?.deliveries[0]?.deliveryId ?? "", nextAttemptAt: null };
      const attempt = { at: 10_002, ...REFUSED };
      assert.equal(
        await store.recordAttempt({ ...late, leaseToken: held?.leaseToken ?? "", attempt }),
        false,
      );
      const next = await take(scenario, 10_001);
      assert.equal(next?.url, url);
      assert.deepEqual(next?.deliveries, held?.deliveries);
      await store.releaseWebhook({ leaseToken: next?.leaseToken ?? "", readyAt: 0 });
      await ingest(scenario, project, [["b", "two"]]);
      assert.equal((await log(scenario, webhook)).length, 1);
      await remove(scenario, webhook);
    },
  ],
  [
    "a webhook that its owner has disabled is sent nothing until he enables it, whatever a test says",
    async (scenario) => {
      const { store } = scenario;
      const project = await scenario.project();
      const webhook = await webhookOf(scenario, project);
      const { accountId, webhookId } = webhook;
      const enable = (isEnabled: boolean, now: number) =>
        store.changeWebhook({ accountId, webhookId, change: { isEnabled }, now });
      await ingest(scenario, project, [["a", "one"]]);
      const held = await take(scenario, 10_000);
      const disabled = { ...webhook, disabled: { reason: DISABLED_BY_OWNER, at: 11_000 } };
      assert.deepEqual(await enable(false, 11_000), disabled);
      assert.deepEqual(await enable(false, 12_000), disabled);
      const deliveryId = held?.deliveries[0]?.deliveryId ?? "";
      const attempt = { at: 11_001, ...ACCEPTED };
      const leaseToken = held?.leaseToken ?? "";
      assert.equal(
        await store.recordAttempt({ leaseToken, deliveryId, attempt, nextAttemptAt: null }),
        false,
      );
      await ingest(scenario, project, [["b", "two"]]);
      assert.equal(await take(scenario, 1e9), null);
      const event = { type: "webhook.test", at: 12_000, webhookId } as const;
      await store.recordTest({ accountId, webhookId, event, deliveryId: "msg_1", attempt });
      assert.deepEqual(await store.listWebhooks({ accountId }), [disabled]);
      assert.deepEqual(
        (await log(scenario, webhook)).map(({ status }) => status),
        ["delivered", "failed"],
      );
      assert.deepEqual(await enable(true, 13_000), webhook);
      await ingest(scenario, project, [["c", "three"]]);
      assert.equal((await take(scenario, 1e9))?.deliveries.length, 1);
      await remove(scenario, webhook);
    },
  ],
  [
    "the log of a webhook keeps its newest deliveries",
    async (scenario) => {
      const { store } = scenario;
      const webhook = await webhookOf(scenario, { accountId: scenario.id("account") });
      const { accountId, webhookId } = webhook;
      for (let number = 1; number <= KEPT_DELIVERIES + 3; number++) {
        await store.recordTest({
          ...{ accountId, webhookId, deliveryId: `msg_${number}` },
          event: { type: "webhook.test", at: number, webhookId },
          attempt: { at: number, ...ACCEPTED },
        });
      }
      const kept = await log(scenario, webhook);
      assert.equal(kept.length, KEPT_DELIVERIES);
      assert.equal(kept[0]?.deliveryId, `msg_${KEPT_DELIVERIES + 3}`);
      await remove(scenario, webhook);
    },
  ],
];
