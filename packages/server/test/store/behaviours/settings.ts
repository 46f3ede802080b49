import assert from "node:assert/strict";
import type { Behaviour } from "../scenario.ts";

export const settingBehaviours: readonly Behaviour[] = [
  [
    "a setting is written, kept and replaced",
    async ({ store, id }) => {
      const name = id("setting");
      assert.equal(await store.readSetting({ name }), null);
      assert.equal(await store.writeSetting({ name, value: "one", onlyIfAbsent: true }), "one");
      assert.equal(await store.writeSetting({ name, value: "two", onlyIfAbsent: true }), "one");
      assert.equal(await store.readSetting({ name }), "one");
      assert.equal(await store.writeSetting({ name, value: "two", onlyIfAbsent: false }), "two");
    },
  ],
  [
    "of many that write an absent setting at once, all learn the one value that holds",
    async ({ store, id }) => {
      const name = id("setting");
      const values = await Promise.all(
        ["a", "b", "c", "d"].map((value) => store.writeSetting({ name, value, onlyIfAbsent: true })),
      );
      assert.equal(new Set(values).size, 1);
      assert.equal(await store.readSetting({ name }), values[0]);
    },
  ],
  [
    "the database answers, and old rate-limit rows are cleared away a bounded number at a time",
    async ({ store, project, accept }) => {
      await store.ping();
      const made = await project();
      await accept(made, [["a", "one"]], { now: 1_000, requestsPerMinute: 10 });
      while (await store.reclaim({ now: 500_000, maxPages: 1_000 }));
      // With the row gone even a clock set back finds no request.
      const early = await accept(made, [["a", "two"]], { now: 1_001, requestsPerMinute: 1 });
      assert.equal(early.outcome.kind, "accepted");
    },
  ],
];
