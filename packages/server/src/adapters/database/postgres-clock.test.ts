import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createServerClock } from "./postgres-clock.ts";

async function clockOf(context: TestContext, server: () => number | Promise<number>, local: () => number) {
  const clock = await createServerClock(async () => server(), local);
  context.after(() => clock.stop());
  return clock;
}

test("a machine whose clock is a minute ahead, or behind, uses that of the server", async (context) => {
  for (const local of [160_000, 40_000]) {
    const clock = await clockOf(
      context,
      () => 100_000,
      () => local,
    );
    assert.equal(clock.now(), 100_000);
  }
});

test("what clocks differ by on the way to the server, and less than a second, changes nothing", async (context) => {
  let local = 100_000;
  const slow = await clockOf(
    context,
    () => {
      local += 4_000;
      return 100_500;
    },
    () => local,
  );
  assert.equal(slow.now(), 104_000);
  const near = await clockOf(
    context,
    () => 100_900,
    () => 100_000,
  );
  assert.equal(near.now(), 100_000);
});

test("a clock that is set later is noticed, and while the server does not answer the known difference is kept", async (context) => {
  context.mock.timers.enable({ apis: ["setInterval"] });
  let local = 100_000;
  let answers = true;
  const server = () => {
    if (!answers) throw new Error("away");
    return 100_000;
  };
  const clock = await clockOf(context, server, () => local);
  local = 200_000;
  context.mock.timers.tick(60_000);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(clock.now(), 100_000);
  answers = false;
  context.mock.timers.tick(60_000);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(clock.now(), 100_000);
});
