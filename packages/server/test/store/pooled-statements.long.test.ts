/** Nothing is kept by name behind a pooler, which gives each transaction any session. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startPostgres } from "../../../../scripts/test/postgres-server.ts";
import { createPool } from "../../src/adapters/database/postgres-pool.ts";
import { findPooler, startPooler } from "../support/pooler.ts";

test("a session behind a transaction pooler keeps no statements", async (context) => {
  const program = await findPooler();
  assert.ok(program, "PgBouncer is missing and cannot be installed here: apt-get install pgbouncer");
  const postgres = await startPostgres();
  context.after(() => postgres.stop());
  const pooler = await startPooler(program, postgres.url);
  context.after(() => pooler.stop());
  const keptOver = async (url: string) => {
    const pool = createPool(url, 1, { pipeline: true, keepsStatements: true });
    for (let use = 0; use < 3; use++) await pool.query("select $1::int as n", [use]);
    const { rows } = await pool.query("select statement from pg_prepared_statements");
    await pool.end();
    return rows.length;
  };
  assert.equal(await keptOver(pooler.url), 0);
  assert.equal(await keptOver(postgres.url), 1);
});
