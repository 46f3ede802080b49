import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { createAccountLanes } from "./account-lanes.ts";

/** Accounts with endless work; a claim takes the first of them that it may take. */
function createScene(lanes: number, accounts: readonly string[], reserved?: number) {
  const options = reserved === undefined ? {} : { reserved };
  const places = createAccountLanes<string | null>({ lanes, ...options, accountOf: (account) => account });
  const claimFor = (except: readonly string[]) =>
    accounts.find((account) => !except.includes(account)) ?? null;
  return {
    places,
    take: () =>
      places.take(async (except) => {
        await setImmediate(); // Other claims would begin here.
        return claimFor(except);
      }),
  };
}

test("an account with work in lanes leaves the last free lane to others, even when all lanes claim at once", async () => {
  const { take } = createScene(4, ["busy"]);
  const lanes = await Promise.all([take(), take(), take(), take()]);
  assert.deepEqual(
    lanes.map(({ claim }) => claim),
    ["busy", "busy", "busy", null],
  );
  lanes[0]?.leave();
  assert.deepEqual((await take()).claim, "busy");
  assert.deepEqual((await take()).claim, null);
});

test("the last free lane takes the work of an account that has no lane", async () => {
  const accounts = ["busy"];
  const { take } = createScene(3, accounts);
  const [first] = await Promise.all([take(), take(), take()]);
  accounts.push("small", "third");
  assert.equal((await take()).claim, "small");
  first?.leave();
  // Again the last one: both of the others have lanes.
  assert.equal((await take()).claim, "third");
});

test("of reserved lanes each takes the work of another account", async () => {
  const accounts = ["busy"];
  const { take } = createScene(3, accounts, 2);
  const lanes = await Promise.all([take(), take(), take()]);
  assert.deepEqual(
    lanes.map(({ claim }) => claim),
    ["busy", null, null],
  );
  accounts.push("small", "third");
  assert.equal((await take()).claim, "small");
  assert.equal((await take()).claim, "third");
});

test("a claim that fails keeps no lane and no later claim", async () => {
  const { places, take } = createScene(2, ["busy"]);
  await assert.rejects(
    places.take(async () => {
      throw new Error("no database");
    }),
    /no database/,
  );
  assert.equal((await take()).claim, "busy");
});

test("a single lane takes any work", async () => {
  const { take } = createScene(1, ["busy"]);
  const lane = await take();
  assert.equal(lane.claim, "busy");
  lane.leave();
  assert.equal((await take()).claim, "busy");
});
