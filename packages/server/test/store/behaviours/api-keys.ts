import assert from "node:assert/strict";
import { apiKey } from "@better-auth/api-key";
import { getMigrations } from "better-auth/db/migration";
import { sql } from "kysely";
import type { OpenedStore } from "../../../src/adapters/database/open-store.ts";

/** Against the table as the accounts library itself makes it on this database. */
export async function checkApiKeys({ store, authDatabase }: OpenedStore): Promise<void> {
  const { db, type } = authDatabase();
  const options = { database: { db, type }, secret: "s".repeat(32), plugins: [apiKey()] };
  const { runMigrations } = await getMigrations(options);
  await runMigrations();
  const again = await getMigrations(options);
  assert.deepEqual([again.toBeCreated, again.toBeAdded], [[], []]);

  const expiresAt = new Date("2031-04-05T06:07:08.009Z");
  const createdAt = new Date(0);
  for (const [id, enabled, ends] of [
    ["plain", true, null],
    ["ending", true, expiresAt],
    ["off", false, null],
  ] as const) {
    await sql`insert into apikey ("id", "configId", "key", "referenceId", "enabled", "expiresAt", "createdAt", "updatedAt")
      values (${id}, 'default', ${`hash-${id}`}, 'owner', ${enabled}, ${ends}, ${createdAt}, ${createdAt})`.execute(
      db,
    );
  }
  const key = { accountId: "owner", enabled: true, expiresAt: null };
  assert.deepEqual(await store.findApiKey({ keyHash: "hash-plain" }), { ...key, keyId: "plain" });
  assert.deepEqual(await store.findApiKey({ keyHash: "hash-ending" }), {
    ...key,
    keyId: "ending",
    expiresAt: expiresAt.getTime(),
  });
  assert.deepEqual(await store.findApiKey({ keyHash: "hash-off" }), { ...key, keyId: "off", enabled: false });
  assert.equal(await store.findApiKey({ keyHash: "plain" }), null);

  const lastUse = async () => {
    const { rows } = await sql<{ lastRequest: string | Date | null }>`
      select "lastRequest" from apikey where id in ('plain', 'off') order by id desc`.execute(db);
    return rows.map((row) => (row.lastRequest === null ? null : new Date(row.lastRequest).getTime()));
  };
  await store.touchApiKeys({
    uses: [
      { keyId: "plain", at: 9_000 },
      { keyId: "plain", at: 5_000 },
      { keyId: "nobody", at: 7_000 },
    ],
  });
  assert.deepEqual(await lastUse(), [9_000, null]);
  // A later report of an earlier use does not set the clock back.
  await store.touchApiKeys({ uses: [{ keyId: "plain", at: 8_000 }] });
  assert.deepEqual(await lastUse(), [9_000, null]);
}
