/** What `outages.long.test.ts` does, through a transaction pooler. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startPostgres } from "../../../../scripts/test/postgres-server.ts";
import { ENDURE_LIMIT_MS, endure } from "../support/endure.ts";
import { findPooler, startPooler } from "../support/pooler.ts";

test("nothing is lost or doubled behind a pooler that gives each transaction any session", {
  timeout: ENDURE_LIMIT_MS,
}, async (context) => {
  const program = await findPooler();
  assert.ok(program, "PgBouncer is missing and cannot be installed here: apt-get install pgbouncer");
  const postgres = await startPostgres({ durable: true });
  context.after(() => postgres.stop());
  const pooler = await startPooler(program, postgres.url);
  context.after(() => pooler.stop());
  await endure(pooler.url, postgres);
});
