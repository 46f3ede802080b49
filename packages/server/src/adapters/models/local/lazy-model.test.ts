import assert from "node:assert/strict";
import { describe, mock, test } from "node:test";
import type { IdentifiedModel } from "./identify-model.ts";
import { createLazyModel } from "./lazy-model.ts";
import { ModelFault } from "./model-fault.ts";

const MINUTE = 60_000;
const model = { id: "tiny", fingerprint: "0a1b2c3d" } as IdentifiedModel; // What is used of it.

/** Time is the test's. `openMs` is how long opening takes. */
function setUp({ openMs = 100, idleMs = MINUTE as number | null } = {}) {
  const counts = { opened: 0, closed: 0 };
  let isDamaged = false;
  const lazy = createLazyModel(model, {
    idleMs,
    now: Date.now,
    async open() {
      counts.opened++;
      mock.timers.setTime(Date.now() + openMs);
      if (isDamaged) throw new ModelFault("model.onnx is damaged");
      let isOpen = true;
      return {
        isOpen: () => isOpen,
        async close() {
          isOpen = false;
          counts.closed++;
        },
      };
    },
    onActivity: () => undefined,
    toError: (message) => new Error(message),
  });
  const use = () => lazy.use(async (opened) => opened.isOpen());
  const pass = async (ms: number) => {
    mock.timers.tick(ms);
    // What the timers have begun goes on in later turns.
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  };
  const damage = () => {
    isDamaged = true;
  };
  return { lazy, use, counts, pass, damage };
}

describe("a local model that is opened when it is used", () => {
  test("is closed after its idle time, counted from the last use, and opened again by the next", async (t) => {
    mock.timers.enable({ apis: ["setTimeout", "Date"] });
    t.after(() => mock.timers.reset());
    const { use, counts, pass } = setUp();
    assert.equal(await use(), true);
    await pass(MINUTE - 1);
    await use();
    await pass(MINUTE - 1);
    assert.deepEqual(counts, { opened: 1, closed: 0 });
    await pass(1);
    assert.deepEqual(counts, { opened: 1, closed: 1 });
    assert.equal(await use(), true);
    assert.deepEqual(counts, { opened: 2, closed: 1 });
  });

  test("is not closed while a use lasts", async (t) => {
    mock.timers.enable({ apis: ["setTimeout", "Date"] });
    t.after(() => mock.timers.reset());
    const { lazy, use, counts, pass } = setUp();
    await use();
    const { promise, resolve } = Promise.withResolvers<void>();
    const long = lazy.use(async (opened) => {
      await promise;
      return opened.isOpen();
    });
    await use();
    await pass(10 * MINUTE);
    resolve();
    assert.equal(await long, true);
    assert.equal(counts.closed, 0);
    await pass(MINUTE);
    assert.equal(counts.closed, 1);
  });

  test("stays open without an idle time, and if opening it took long", async (t) => {
    mock.timers.enable({ apis: ["setTimeout", "Date"] });
    t.after(() => mock.timers.reset());
    for (const options of [{ idleMs: null }, { openMs: 5_001 }]) {
      const { use, counts, pass } = setUp(options);
      await use();
      await pass(100 * MINUTE);
      assert.deepEqual(counts, { opened: 1, closed: 0 });
    }
  });

  test("that cannot be opened again says so, and is opened after a pause", async (t) => {
    mock.timers.enable({ apis: ["setTimeout", "Date"] });
    t.after(() => mock.timers.reset());
    const { use, counts, pass, damage } = setUp();
    await use();
    await pass(MINUTE);
    damage();
    await assert.rejects(use(), /The model "local\/tiny@0a1b2c3d" cannot be used: model\.onnx is damaged/);
    await assert.rejects(use(), /damaged/);
    assert.equal(counts.opened, 2);
    await pass(15_000);
    await assert.rejects(use(), /damaged/);
    assert.equal(counts.opened, 3);
  });
});
