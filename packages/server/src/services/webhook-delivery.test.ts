import assert from "node:assert/strict";
import { test } from "node:test";
import type { ClaimedDelivery, ClaimedWebhook, RecordAttempt } from "../ports/event-store.ts";
import type { SendResult } from "../ports/webhook-sender.ts";
import { createWebhookDelivery, RETRY_DELAYS_MS } from "./webhook-delivery.ts";

const ACCEPTED: SendResult = { durationMs: 1, responseStatus: 200, outcome: "accepted", error: null };
const REFUSED: SendResult = {
  durationMs: 1,
  responseStatus: 500,
  outcome: "refused",
  error: "It answered 500",
};
const GONE: SendResult = { durationMs: 1, responseStatus: 410, outcome: "gone", error: "It is gone" };

/**
 * Runs one turn with a delivery per answer, each with `attempts` earlier attempts. Returns what was recorded.
 */
async function deliver(
  answers: readonly (SendResult | "hang")[],
  options: { attempts?: number; failures?: number; isLost?: boolean } = {},
) {
  const recorded: RecordAttempt[] = [];
  const disabled: { reason: string; unlessDeliveredSince: number | null }[] = [];
  const released: number[] = [];
  const bodies: string[] = [];
  const stop = new AbortController();
  const claimed: ClaimedWebhook = {
    accountId: "account",
    webhookId: "whk_1",
    url: "https://hooks.example/",
    secret: "whsec_AAAA",
    failures: options.failures ?? 0,
    deliveries: answers.map(
      (_, at): ClaimedDelivery => ({
        deliveryId: `msg_${at}`,
        attempts: options.attempts ?? 0,
        createdAt: 500,
        event: { type: "webhook.test", at: 500, webhookId: "whk_1" },
      }),
    ),
  };
  const waiting = [...answers];
  const delivery = createWebhookDelivery({
    store: {
      nextDelivery: () => Promise.resolve({ readyNow: true }),
      claimDeliveries: () => Promise.resolve(claimed),
      recordAttempt: (attempt) => Promise.resolve(recorded.push(attempt) > 0 && options.isLost !== true),
      disableWebhook: (input) => Promise.resolve(disabled.push(input) > 0),
      releaseWebhook: ({ readyAt }) => Promise.resolve(void released.push(readyAt)),
    },
    sender: {
      addressFault: () => null,
      send(message, signal) {
        bodies.push(message.body);
        const answer = waiting.shift() ?? ACCEPTED;
        if (answer !== "hang") return Promise.resolve(answer);
        setImmediate(() => stop.abort());
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(new Error("cut"))));
      },
    },
    present: (event) => JSON.stringify(event),
    now: () => 10_000,
    random: () => 0.5,
    newLeaseToken: () => "lease",
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  const turn = await delivery.claim(4);
  assert.ok(turn);
  await delivery.deliver(turn, stop.signal);
  return { recorded, disabled, released, bodies };
}

test("an accepted delivery has no further attempt, and the webhook is released without a pause", async () => {
  const { recorded, released, disabled } = await deliver([ACCEPTED, ACCEPTED, ACCEPTED]);
  assert.deepEqual(
    recorded.map(({ deliveryId, nextAttemptAt }) => [deliveryId, nextAttemptAt]),
    [
      ["msg_0", null],
      ["msg_1", null],
      ["msg_2", null],
    ],
  );
  assert.deepEqual([released, disabled], [[10_000], []]);
});

test("a refused delivery is retried after increasing delays with jitter", async () => {
  for (const [attempts, delayMs] of RETRY_DELAYS_MS.entries()) {
    const { recorded, disabled } = await deliver([REFUSED], { attempts });
    assert.equal(recorded[0]?.nextAttemptAt, 10_000 + delayMs * 1.05);
    assert.deepEqual(disabled, []);
  }
  assert.equal(RETRY_DELAYS_MS[0], 5_000);
  assert.equal(RETRY_DELAYS_MS.at(-1), 24 * 60 * 60_000);
});

test("after the last attempt the webhook is disabled with the reason, unless other deliveries were accepted since", async () => {
  const { recorded, disabled } = await deliver([REFUSED], { attempts: RETRY_DELAYS_MS.length });
  assert.equal(recorded[0]?.nextAttemptAt, null);
  assert.equal(disabled.length, 1);
  assert.match(
    disabled[0]?.reason ?? "",
    /^Delivery msg_0 failed 9 times\. The last error: It answered 500$/,
  );
  assert.equal(disabled[0]?.unlessDeliveredSince, 500);
});

test("a receiver that answers 410 Gone is disabled after one attempt", async () => {
  const { recorded, disabled } = await deliver([GONE]);
  assert.equal(recorded[0]?.nextAttemptAt, null);
  assert.equal(disabled[0]?.unlessDeliveredSince, null);
});

test("a failure ends the turn, and the pause grows with the number of failures", async () => {
  const { bodies, released } = await deliver(Array.from({ length: 8 }, () => REFUSED));
  assert.ok(bodies.length <= 4, `${bodies.length} tries`);
  assert.ok((released[0] ?? 0) > 10_000);
  const later = await deliver([REFUSED], { failures: 50 });
  assert.deepEqual(later.released, [70_000]);
});

test("a delivery that is aborted while it is sent is recorded neither as a success nor as a failure", async () => {
  const { recorded, released } = await deliver(["hang"]);
  assert.deepEqual(recorded, []);
  assert.equal(released.length, 1);
});

test("nothing more is sent after the lease is lost", async () => {
  const { bodies } = await deliver(
    Array.from({ length: 8 }, () => ACCEPTED),
    { isLost: true },
  );
  assert.equal(bodies.length, 4);
});

test("a failed write to the store ends the turn and releases the webhook after all running requests have ended", async () => {
  const released: number[] = [];
  let running = 0;
  let sent = 0;
  const fault = new Error("disk full");
  const delivery = createWebhookDelivery({
    store: {
      nextDelivery: () => Promise.resolve({ readyNow: true }),
      claimDeliveries: () =>
        Promise.resolve({
          accountId: "account",
          webhookId: "whk_1",
          url: "https://hooks.example/",
          secret: "whsec_AAAA",
          failures: 0,
          deliveries: Array.from({ length: 8 }, (_, at) => ({
            deliveryId: `msg_${at}`,
            attempts: 0,
            createdAt: 500,
            event: { type: "webhook.test" as const, at: 500, webhookId: "whk_1" },
          })),
        }),
      recordAttempt: () => Promise.reject(fault),
      disableWebhook: () => Promise.resolve(true),
      releaseWebhook({ readyAt }) {
        assert.equal(running, 0);
        released.push(readyAt);
        return Promise.resolve();
      },
    },
    sender: {
      addressFault: () => null,
      async send() {
        running++;
        // The first request is answered before the others.
        for (let turn = sent++; turn > 0; turn--) await new Promise((resolve) => setImmediate(resolve));
        running--;
        return ACCEPTED;
      },
    },
    present: (event) => JSON.stringify(event),
    now: () => 10_000,
    random: () => 0.5,
    newLeaseToken: () => "lease",
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  const turn = await delivery.claim(4);
  assert.ok(turn);
  await assert.rejects(delivery.deliver(turn, new AbortController().signal), fault);
  assert.equal(sent, 4);
  assert.equal(released.length, 1);
  assert.ok((released[0] ?? 0) > 10_000);
});
