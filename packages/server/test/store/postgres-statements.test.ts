/** Which statements PostgreSQL keeps for a connection. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createPool } from "../../src/adapters/database/postgres-pool.ts";
import { usePostgres } from "../support/postgres.ts";

const databases = usePostgres();

async function open(context: TestContext) {
  const pool = createPool(await databases.createEmpty(), 1, { pipeline: true, keepsStatements: true });
  context.after(() => pool.end());
  const kept = async () => {
    const { rows } = await pool.query<{ statement: string }>("select statement from pg_prepared_statements");
    return rows.map(({ statement }) => statement);
  };
  return { pool, kept };
}

test("a statement is kept from its second use on, with any parameters", async (context) => {
  const { pool, kept } = await open(context);
  const ask = async (value: number) => (await pool.query("select $1::int as n", [value])).rows[0]?.n;
  assert.equal(await ask(1), 1);
  assert.deepEqual(await kept(), []);
  assert.deepEqual([await ask(2), await ask(3)], [2, 3]);
  assert.deepEqual(await kept(), ["select $1::int as n"]);
});

test("what fails is not kept, and others after it are", async (context) => {
  const { pool, kept } = await open(context);
  for (let use = 0; use < 3; use++)
    await assert.rejects(pool.query("select $1::int / 0 as failed_at_planning_or_later", [1]));
  for (let use = 0; use < 3; use++)
    await assert.rejects(pool.query("select $1::int from no_such_table", [1]), /no_such_table/);
  for (let use = 0; use < 3; use++)
    assert.equal((await pool.query("select $1::text as t", ["a"])).rows[0]?.t, "a");
  assert.ok((await kept()).includes("select $1::text as t"));
  assert.ok(!(await kept()).some((statement) => statement.includes("no_such_table")));
});

test("all columns of a table are asked for anew, which another release may have added to", async (context) => {
  const { pool, kept } = await open(context);
  await pool.query("create table things (a int); insert into things values (1)");
  const ask = async () => (await pool.query("select * from things where a = $1", [1])).rows[0];
  for (let use = 0; use < 7; use++) assert.deepEqual(await ask(), { a: 1 });
  await pool.query("alter table things add column b int");
  assert.deepEqual(await ask(), { a: 1, b: null });
  assert.deepEqual(await kept(), []);
});

test("what writes is not kept, and no more than 100 statements are", async (context) => {
  const { pool, kept } = await open(context);
  await pool.query("create table things (a int)");
  for (let use = 0; use < 3; use++) {
    await pool.query("insert into things values ($1)", [use]);
    for (let at = 0; at < 120; at++) await pool.query(`select $1::int + ${at} as n`, [use]);
  }
  const statements = await kept();
  assert.equal(statements.length, 100);
  assert.ok(statements.every((statement) => statement.startsWith("select $1")));
  const { rows } = await pool.query("select $1::int + 119 as n", [5]);
  assert.deepEqual(rows, [{ n: 124 }]);
});
