import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import {
  createLimiter,
  LimiterFullError,
  LimiterPausedError,
} from "../../src/adapters/models/language/limiter.ts";
import { createFakeClock } from "./fake-clock.ts";

const never = new AbortController().signal;
const overload = new Error("too much");
const isOverload = (error: unknown) => error === overload;

function limiterOf(options: Partial<Parameters<typeof createLimiter>[0]> = {}) {
  const limits = { initial: 4, max: 16, maxWaiting: 100, maxWaitingPerAccount: 100 };
  return createLimiter({ ...limits, clock: createFakeClock(), ...options });
}

const ofOne = {
  accountId: "one",
  isUrgent: false,
  signal: never,
  deadlineAt: Number.POSITIVE_INFINITY,
  isOverload,
};

/** Work whose end the test decides. */
function openWork() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return { run: () => promise, end: resolve, fail: reject };
}

describe("the limiter of a provider", () => {
  test("no more work runs at once than the limit says, and all of it runs in the order asked", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.boolean(), { maxLength: 60 }),
        async (initial, fates) => {
          const limiter = limiterOf({ initial, max: 12 });
          const begun: number[] = [];
          let running = 0;
          const all = fates.map((fails, index) =>
            limiter
              .run(async () => {
                begun.push(index);
                running += 1;
                assert(running <= 12);
                await setImmediate();
                running -= 1;
                if (fails) throw overload;
              }, ofOne)
              .catch((error: unknown) => assert.equal(error, overload)),
          );
          assert(running <= initial);
          await Promise.all(all);
          assert.deepEqual(begun, [...fates.keys()]);
          const { limit, running: left, waiting } = limiter.state();
          assert(limit >= 1 && limit <= 12);
          assert.deepEqual([left, waiting], [0, 0]);
        },
      ),
      { numRuns: 50 },
    );
  });

  test("it grows by one with each success before it was ever too much, then by one over as many as it is, up to its maximum", async () => {
    const limiter = limiterOf({ initial: 2, max: 6 });
    const succeed = () => limiter.run(async () => undefined, ofOne);
    for (let count = 0; count < 2; count++) await succeed();
    assert.equal(limiter.state().limit, 4);
    await assert.rejects(limiter.run(() => Promise.reject(overload), ofOne));
    assert.equal(limiter.state().limit, 2);
    for (let count = 0; count < 2; count++) await succeed();
    assert.equal(limiter.state().limit, 2);
    await succeed();
    assert.equal(limiter.state().limit, 3);
    for (let count = 0; count < 100; count++) await succeed();
    assert.equal(limiter.state().limit, 6);
  });

  test("what is urgent goes first and accounts take turns, whatever one of them has waiting", async () => {
    const limiter = limiterOf({ initial: 1, max: 1 });
    const first = openWork();
    const running = limiter.run(first.run, ofOne);
    const begun: string[] = [];
    const wait = (name: string, accountId: string, isUrgent = false) =>
      limiter.run(async () => void begun.push(name), { ...ofOne, accountId, isUrgent });
    const all = [
      ...["a1", "a2", "a3"].map((name) => wait(name, "a")),
      wait("b1", "b"),
      wait("asked", "a", true),
    ];
    first.end();
    await Promise.all([running, ...all]);
    assert.deepEqual(begun, ["asked", "a1", "b1", "a2", "a3"]);
  });

  test("calls of an account that hang, and halve the limit, leave a place to each other account in turn", async () => {
    for (const [max, isUrgent] of [
      [4, true],
      [16, true],
      [16, false],
    ] as const) {
      const limiter = limiterOf({ initial: 4, max });
      const place = { ...ofOne, isUrgent };
      const hanging = Array.from({ length: 8 }, openWork);
      const held = hanging.map(({ run }) => limiter.run(run, place).catch(() => undefined));
      const ofOthers = () =>
        Promise.all(
          ["two", "three"].map((accountId) => limiter.run(async () => undefined, { ...place, accountId })),
        );
      await ofOthers();
      for (const { fail } of hanging.slice(0, 5)) {
        fail(overload);
        await setImmediate();
        await ofOthers();
      }
      for (const { end } of hanging) end();
      await Promise.all(held);
    }
  });

  test("an account alone runs as much as the limit says, urgent work without the last place of the maximum", async () => {
    for (const [max, isUrgent, expected] of [
      [16, true, 4],
      [4, true, 3],
      [4, false, 4],
      [1, true, 1],
    ] as const) {
      const limiter = limiterOf({ initial: 4, max });
      const works = Array.from({ length: 8 }, openWork);
      const all = works.map(({ run }) => limiter.run(run, { ...ofOne, isUrgent }));
      assert.equal(limiter.state().running, expected);
      for (const { end } of works) end();
      await Promise.all(all);
    }
  });

  test("an account that fills its part of the queue leaves room for others", async () => {
    const limiter = limiterOf({ initial: 1, maxWaiting: 3, maxWaitingPerAccount: 2 });
    const first = openWork();
    const all = [first.run, async () => undefined, async () => undefined].map((work) =>
      limiter.run(work, ofOne),
    );
    await assert.rejects(
      limiter.run(async () => undefined, ofOne),
      LimiterFullError,
    );
    all.push(limiter.run(async () => undefined, { ...ofOne, accountId: "another" }));
    first.end();
    await Promise.all(all);
  });

  test("tries that were under way together halve it once, a later one again, and one is the least", async () => {
    const limiter = limiterOf({ initial: 8 });
    const refuse = async () => {
      await setImmediate();
      throw overload;
    };
    const refused = (count: number) =>
      Promise.allSettled(Array.from({ length: count }, () => limiter.run(refuse, ofOne)));
    await refused(8);
    assert.equal(limiter.state().limit, 4);
    await refused(1);
    assert.equal(limiter.state().limit, 2);
    for (let count = 0; count < 5; count++) await refused(1);
    assert.equal(limiter.state().limit, 1);
  });

  test("failures that say nothing of overload leave it as it is", async () => {
    const limiter = limiterOf({ initial: 4 });
    const fail = () => Promise.reject(new Error("another"));
    await assert.rejects(limiter.run(fail, ofOne), /another/);
    assert.equal(limiter.state().limit, 4);
  });

  test("a full queue refuses, and what is given up while it waits makes room", async () => {
    const limiter = limiterOf({ initial: 1, maxWaiting: 1 });
    const first = openWork();
    const running = limiter.run(first.run, ofOne);
    const givingUp = new AbortController();
    const second = limiter.run(async () => "second", { ...ofOne, signal: givingUp.signal });
    await assert.rejects(
      limiter.run(async () => "third", ofOne),
      LimiterFullError,
    );
    givingUp.abort(new Error("not wanted any more"));
    await assert.rejects(second, /not wanted any more/);
    const fourth = limiter.run(async () => "fourth", ofOne);
    first.end();
    await running;
    assert.equal(await fourth, "fourth");
  });

  test("what would have to begin before a pause is over is refused at once, also when it waits already", async () => {
    const clock = createFakeClock();
    const limiter = limiterOf({ clock, initial: 1, max: 1 });
    const first = openWork();
    const running = limiter.run(first.run, ofOne);
    const until = clock.now() + 20_000;
    const isRefused = (error: unknown) => error instanceof LimiterPausedError && error.until === until;
    const waiting = limiter.run(async () => undefined, { ...ofOne, deadlineAt: until });
    const patient = limiter.run(async () => "begun", { ...ofOne, deadlineAt: until + 1 });
    limiter.pause(20_000);
    await assert.rejects(waiting, isRefused);
    await assert.rejects(
      limiter.run(async () => undefined, { ...ofOne, deadlineAt: until - 5_000 }),
      isRefused,
    );
    first.end();
    await running;
    assert.equal(await patient, "begun");
  });

  test("while it is paused nothing begins; then all goes on", async () => {
    const clock = createFakeClock();
    const limiter = limiterOf({ clock });
    limiter.pause(20_000);
    limiter.pause(5_000);
    const before = clock.now();
    const began = await limiter.run(async () => clock.now(), ofOne);
    assert.equal(began - before, 20_000);
  });
});
