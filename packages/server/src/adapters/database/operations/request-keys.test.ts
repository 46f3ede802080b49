import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { Kysely } from "kysely";
import { createMigrationTable, migrate } from "../migrate.ts";
import type { Database } from "../schema.ts";
import { createSqliteDialect, createStatementRunner } from "../sqlite-dialect.ts";
import { isOverLimits, performOnce } from "./request-keys.ts";

const MIB = 2 ** 20;
const HOUR_MS = 60 * 60_000;

test("an account keeps 10,000 keys, 64 MiB of answers and keys of one day, and always its newest key", () => {
  const key = (seq: number, mebibytes = 0, hours = 0) => ({
    seq,
    bytes_before: mebibytes * MIB,
    created_at: hours * HOUR_MS,
  });
  assert.equal(isOverLimits(key(1), key(10_000), 0), false);
  assert.equal(isOverLimits(key(1), key(10_001), 0), true);
  assert.equal(isOverLimits(key(1, 1), key(2, 64), 0), false);
  assert.equal(isOverLimits(key(1, 1), key(2, 65), 0), true);
  assert.equal(isOverLimits(key(1, 0, 1), key(2, 0, 24), 25 * HOUR_MS - 1), false);
  assert.equal(isOverLimits(key(1, 0, 1), key(2, 0, 25), 25 * HOUR_MS), true);
  assert.equal(isOverLimits(key(2), key(2), 99 * HOUR_MS), false);
});

/** A store in memory. `beforeRead` runs before each read of an existing key. */
async function openDatabase(beforeRead: () => void): Promise<{ db: Database; connection: DatabaseSync }> {
  const connection = new DatabaseSync(":memory:");
  const run = createStatementRunner(connection);
  const db: Database = new Kysely({
    dialect: createSqliteDialect(async ({ sql, parameters }) => {
      if (sql.startsWith('select "fingerprint"')) beforeRead();
      return run(sql, parameters);
    }),
  });
  await createMigrationTable("sqlite").execute(db);
  await migrate(db, { kind: "sqlite", now: 0 });
  return { db, connection };
}

/** Creates a webhook with the idempotency key that every call here uses. */
function createOnce(db: Database, webhookId: string) {
  const webhook = {
    webhookId,
    accountId: "account",
    url: "https://hooks.example/",
    events: ["job.failed"] as const,
    description: null,
    createdAt: 0,
    disabled: null,
  };
  return performOnce(db, {
    request: { key: "key", fingerprint: "print" },
    accountId: "account",
    now: 1,
    answer: webhookId,
    call: { name: "createWebhook", input: { webhook, secret: "whsec_AAAA", maxPerAccount: 10 } },
  });
}

test("a key that others evict between insert and read is free, and its request is executed", async () => {
  let times = 1;
  const { db, connection } = await openDatabase(() => {
    if (times-- > 0) connection.exec("delete from request_keys");
  });
  assert.deepEqual(await createOnce(db, "whk_1"), { kind: "done", result: "created" });
  assert.deepEqual(await createOnce(db, "whk_2"), { kind: "done", result: "created" });
  assert.deepEqual(await createOnce(db, "whk_3"), { kind: "answered", answer: "whk_2" });
  connection.close();
});
