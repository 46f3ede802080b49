import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { Turn } from "../services/webhook-delivery.ts";
import { startWebhookLoop } from "./webhook-loop.ts";

const SLOW_ACCOUNTS = 4;

test("four accounts whose receivers are slow leave turns to an account that has none", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const held = new Map<string, number>();
  const begun: string[] = [];
  const accounts = Array.from({ length: SLOW_ACCOUNTS }, (_, at) => `slow ${at}`);
  const { promise: cut, resolve: cutAll } = Promise.withResolvers<void>();
  const loop = startWebhookLoop({
    delivery: {
      async claim(mostOfAccount) {
        const own = (accountId: string) => held.get(accountId) ?? 0;
        const [next] = accounts.toSorted((one, other) => own(one) - own(other));
        if (next === undefined || own(next) >= mostOfAccount) return null;
        held.set(next, own(next) + 1);
        begun.push(next);
        return {} as Turn; // The loop hands it on.
      },
      deliver: () => cut,
    },
    log: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const settle = async () => {
    for (let turn = 0; turn < 100; turn++) await setImmediate();
  };
  await settle();
  assert.equal(begun.length, 12);
  accounts.push("quick");
  context.mock.timers.tick(1_000);
  await settle();
  assert.deepEqual(begun.slice(12), ["quick"]);
  cutAll();
  await loop.close();
});
