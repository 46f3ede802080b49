import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { createSharedTime } from "./shared-time.ts";

/** Requests that compute before each call of the model, which takes a millisecond. The clock counts what they compute. */
function createScene() {
  let clock = 0;
  const time = createSharedTime(() => clock);
  const events: string[] = [];
  const request = (account: string, { calls, stepMs }: { calls: number; stepMs: number }) =>
    time.run(account, async () => {
      for (let at = 0; at < calls; at++) {
        clock += stepMs;
        events.push(account);
        await time.call(async () => {
          await setImmediate();
          clock += 1;
        });
      }
      events.push(`${account} done`);
    });
  return { time, events, request };
}

test("a short request overlaps with a long one of another account", async () => {
  const { events, request } = createScene();
  await Promise.all([request("long", { calls: 50, stepMs: 1 }), request("short", { calls: 2, stepMs: 1 })]);
  assert.ok(events.indexOf("short done") < 10, events.join());
});

test("a request that computes for long between its calls lets another account compute for as long", async () => {
  const { events, request } = createScene();
  await Promise.all([
    request("long", { calls: 50, stepMs: 100 }),
    request("short", { calls: 60, stepMs: 4 }),
  ]);
  const stepsBefore = events
    .slice(0, events.indexOf("short done"))
    .filter((event) => event === "long").length;
  // 60 steps of 5 ms take as long as three of the others.
  assert.ok(stepsBefore <= 5, `${stepsBefore} steps of the other request`);
});

test("requests of one account run one after the other, without pauses where nobody else has any", async () => {
  const { events, request } = createScene();
  await Promise.all([request("a", { calls: 2, stepMs: 100 }), request("a", { calls: 1, stepMs: 100 })]);
  assert.deepEqual(events, ["a", "a", "a done", "a", "a done"]);
});

test("a request that waits for what a pausing one computes does not keep it waiting", async () => {
  let reads = 0;
  const time = createSharedTime(() => 100 * reads++); // Each look at the clock is a long step.
  const shared = Promise.withResolvers<void>();
  const waiting = time.run("waits", () => shared.promise);
  await time.run("pauses", () => time.call(async () => shared.resolve()));
  await waiting;
});
