/** The generated secret of processes on one PostgreSQL database. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openStore } from "../../src/adapters/database/open-store.ts";
import { DatabaseStartError } from "../../src/adapters/database/start-error.ts";
import { readOrStoreSecret } from "../../src/shared-secret.ts";
import { usePostgres } from "../support/postgres.ts";

const postgres = usePostgres();
const key = "a key of the tests, 40 characters in all";

test("processes that start at once agree, and whoever stored a secret before keeps it", async (context) => {
  const { store, stored } = await open(context);
  const offers = ["one", "two", "three"];
  const agreed = await Promise.all(offers.map((offered) => readOrStoreSecret(store, { offered, key: null })));
  assert.equal(new Set(agreed).size, 1);
  assert.equal(await readOrStoreSecret(store, { offered: "late", key: null }), agreed[0]);
  assert.match(await stored(), new RegExp(`^plain:${agreed[0]}$`));
});

test("with a key the stored secret is encrypted, also one that was stored without", async (context) => {
  const { store, stored } = await open(context);
  await readOrStoreSecret(store, { offered: "the-secret", key: null });
  for (const _ of [1, 2]) {
    assert.equal(await readOrStoreSecret(store, { offered: "another", key }), "the-secret");
    assert.match(await stored(), /^sealed:[A-Za-z0-9+/=]+$/);
    assert.doesNotMatch(Buffer.from((await stored()).slice(7), "base64").toString("latin1"), /the-secret/);
  }
  for (const wrong of [null, key.toUpperCase()]) {
    await assert.rejects(
      readOrStoreSecret(store, { offered: "another", key: wrong }),
      (error: unknown) => error instanceof DatabaseStartError && /KCS_ENCRYPTION_KEY/.test(error.message),
    );
  }
});

async function open(context: { after(run: () => Promise<void>): void }) {
  const { store } = await openStore({ databaseUrl: await postgres.create(), dataDir: "" });
  context.after(() => store.close());
  return { store, stored: async () => (await store.readSetting({ name: "session_secret" })) ?? "" };
}
