import assert from "node:assert/strict";
import { test } from "node:test";
import { createLastUsed } from "./last-used.ts";

type Uses = readonly { readonly keyId: string; readonly at: number }[];

function fixture() {
  const batches: Uses[] = [];
  const warnings: string[] = [];
  const state: { fails: boolean } = { fails: false };
  const ignore = () => {};
  const lastUsed = createLastUsed({
    log: { debug: ignore, info: ignore, error: ignore, warn: (event) => void warnings.push(event) },
    store: {
      async touchApiKeys({ uses }) {
        if (state.fails) throw new Error("disk full");
        batches.push(uses);
      },
    },
  });
  return { lastUsed, batches, warnings, state };
}

test("uses are written every ten seconds, the latest of each key", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout"] });
  const { lastUsed, batches } = fixture();
  lastUsed.record("a", 1);
  lastUsed.record("b", 2);
  lastUsed.record("a", 3);
  context.mock.timers.tick(9_999);
  assert.equal(batches.length, 0);
  context.mock.timers.tick(1);
  await lastUsed.flush();
  assert.deepEqual(batches, [
    [
      { keyId: "a", at: 3 },
      { keyId: "b", at: 2 },
    ],
  ]);
});

test("nothing is written when no key was used", async () => {
  const { lastUsed, batches } = fixture();
  await lastUsed.close();
  assert.equal(batches.length, 0);
});

test("a failed write is repeated with the next batch and does not overwrite later uses", async () => {
  const { lastUsed, batches, warnings, state } = fixture();
  state.fails = true;
  lastUsed.record("a", 1);
  lastUsed.record("b", 1);
  const failing = lastUsed.flush();
  lastUsed.record("a", 2);
  await failing;
  assert.deepEqual(warnings, ["key_use_not_recorded"]);
  state.fails = false;
  await lastUsed.close();
  assert.deepEqual(
    new Map(batches[0]?.map(({ keyId, at }) => [keyId, at])),
    new Map([
      ["a", 2],
      ["b", 1],
    ]),
  );
});
