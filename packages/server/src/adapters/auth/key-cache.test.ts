import assert from "node:assert/strict";
import { AsyncLocalStorage } from "node:async_hooks";
import { test } from "node:test";
import type { ApiKeyRecord } from "../../ports/store.ts";
import { createKeyCache, hashKey } from "./key-cache.ts";

function fixture() {
  const records = new Map<string, ApiKeyRecord>();
  const clock = { now: 1_000_000 };
  const reads: string[] = [];
  let gate: Promise<void> = Promise.resolve();
  const cache = createKeyCache({
    now: () => clock.now,
    store: {
      async findApiKey({ keyHash }) {
        reads.push(keyHash);
        const record = records.get(keyHash) ?? null;
        await gate;
        return record;
      },
    },
  });
  const add = (key: string, change: Partial<ApiKeyRecord> = {}) =>
    records.set(hashKey(key), { keyId: key, accountId: "a", enabled: true, expiresAt: null, ...change });
  const remove = (key: string) => records.delete(hashKey(key));
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    return () => {
      gate = Promise.resolve();
      resolve();
    };
  };
  return { cache, clock, reads, add, remove, hold };
}

test("a key is read again after less than a second, once for all concurrent requests", async () => {
  const { cache, clock, reads, add } = fixture();
  add("kcs_a");
  await Promise.all(Array.from({ length: 50 }, () => cache.find("kcs_a")));
  assert.equal(reads.length, 1);
  clock.now += 899;
  await cache.find("kcs_a");
  assert.equal(reads.length, 1);
  clock.now += 1;
  await Promise.all(Array.from({ length: 50 }, () => cache.find("kcs_a")));
  assert.equal(reads.length, 2);
});

test("a revocation also applies to a running look-up", async () => {
  const { cache, add, remove, hold } = fixture();
  add("kcs_a");
  const release = hold();
  const found = cache.find("kcs_a");
  remove("kcs_a");
  cache.invalidate();
  release();
  assert.equal(await found, null);
  assert.equal(await cache.find("kcs_a"), null);
});

test("a key is found while others change all the time, and is read again for the next request", async () => {
  const { cache, reads, add, hold } = fixture();
  add("kcs_a");
  const release = hold();
  const found = cache.find("kcs_a");
  for (let look = 0; look < 8; look++) {
    cache.invalidate();
    if (look === 0) release();
    await new Promise<void>((resolve) => queueMicrotask(resolve));
  }
  assert.equal((await found)?.keyId, "kcs_a");
  const before = reads.length;
  await cache.find("kcs_a");
  assert.equal(reads.length, before + 1);
});

test("the age of an entry is counted from the start of its look-up", async () => {
  const { cache, clock, add, remove, hold } = fixture();
  add("kcs_a");
  const release = hold();
  const found = cache.find("kcs_a");
  clock.now += 900;
  release();
  assert.notEqual(await found, null);
  remove("kcs_a");
  assert.equal(await cache.find("kcs_a"), null);
});

test("an expired or disabled key is not found, even if it is cached", async () => {
  const { cache, clock, add } = fixture();
  add("kcs_a", { expiresAt: clock.now + 10 });
  add("kcs_b", { enabled: false });
  assert.notEqual(await cache.find("kcs_a"), null);
  clock.now += 10;
  assert.equal(await cache.find("kcs_a"), null);
  assert.equal(await cache.find("kcs_b"), null);
});

test("a clock that was set back does not keep a revoked key alive", async () => {
  const { cache, clock, add, remove } = fixture();
  add("kcs_a");
  await cache.find("kcs_a");
  remove("kcs_a");
  clock.now -= 3_600_000;
  assert.equal(await cache.find("kcs_a"), null);
});

test("guesses neither evict real keys nor accumulate", async () => {
  const { cache, reads, add } = fixture();
  add("kcs_real");
  await cache.find("kcs_real");
  for (let i = 0; i < 1_500; i++) await cache.find(`kcs_guess${i}`);
  const before = reads.length;
  await cache.find("kcs_real");
  await cache.find("kcs_guess1499");
  assert.equal(reads.length, before);
  await cache.find("kcs_guess0");
  assert.equal(reads.length, before + 1, "the oldest guess was evicted");
});

test("a database failure is an error, not an unknown key, and the next request reads again", async () => {
  let fails = true as boolean;
  const cache = createKeyCache({
    store: {
      findApiKey: async () => {
        if (fails) throw new Error("no connection");
        return { keyId: "k", accountId: "a", enabled: true, expiresAt: null };
      },
    },
  });
  await assert.rejects(cache.find("kcs_a"), /no connection/);
  fails = false;
  assert.notEqual(await cache.find("kcs_a"), null);
});

test("a look-up is not on behalf of the request that begins it, because others wait for it, too", async () => {
  const acting = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  const cache = createKeyCache({
    store: {
      async findApiKey() {
        seen.push(acting.getStore());
        return null;
      },
    },
  });
  await acting.run("the first", () => cache.find("kcs_a"));
  assert.deepEqual(seen, [undefined]);
});
