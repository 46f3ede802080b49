import assert from "node:assert/strict";
import { test } from "node:test";
import type { Store } from "../ports/store.ts";
import { createWebhookService } from "./webhooks.ts";

const ACCOUNTS = 20;
const HELD = 16;

test("receivers that do not answer delay the test of another account, and do not refuse it", async () => {
  const answers: (() => void)[] = [];
  const webhookId = "whk_00000000000000000000000000000000";
  const store: Partial<Store> = {
    findWebhook: async ({ accountId }) => ({
      webhook: {
        ...{ accountId, webhookId, url: "https://receiver.example/", events: [], description: null },
        ...{ isEnabled: true, createdAt: 0, failingSince: null, disabledAt: null, disabledReason: null },
      } as never, // A test reads three of these.
      secret: "whsec_",
    }),
    recordTest: async () => undefined as never,
  };
  const { test: sendTest } = createWebhookService({
    store: store as Store, // A test calls these two.
    sender: {
      send: () =>
        new Promise((resolve) =>
          answers.push(() =>
            resolve({ durationMs: 1, responseStatus: 204, outcome: "delivered", error: null } as never),
          ),
        ),
    } as never,
    present: () => "{}",
    ...{ maxPerAccount: 1, signUp: "open", now: () => 0 },
  });
  const tests = Array.from({ length: ACCOUNTS }, (_, at) =>
    sendTest({ accountId: `acc_${at}` } as never, webhookId),
  );
  await assert.rejects(sendTest({ accountId: "acc_0" } as never, webhookId), /Another test is being sent/);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(answers.length, HELD);
  for (let at = 0; at < ACCOUNTS; at++) {
    answers[at]?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.deepEqual(
    (await Promise.all(tests)).map(({ status }) => status),
    Array.from({ length: ACCOUNTS }, () => "delivered"),
  );
});
