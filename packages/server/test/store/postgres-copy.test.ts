/** Bytes come from PostgreSQL by a binary copy, beside other statements of the same connection. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createPool } from "../../src/adapters/database/postgres-pool.ts";
import { usePostgres } from "../support/postgres.ts";

const databases = usePostgres();
const COPY = "copy (select a, b from things order by id) to stdout (format binary)";

async function open(context: TestContext) {
  const pool = createPool(await databases.createEmpty(), 1, { pipeline: true, keepsStatements: true });
  const client = await pool.connect();
  context.after(() => {
    client.release();
    return pool.end();
  });
  await client.query("create table things (id int, a bytea, b bytea)");
  return client;
}

test("a copy gives each value as it was stored, with a buffer of its own", async (context) => {
  const client = await open(context);
  assert.deepEqual((await client.query(COPY)).rows, []);
  const each = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const large = Uint8Array.from({ length: 3_000_001 }, (_, at) => (at * 31) % 256);
  const stored = [
    [each, null],
    [new Uint8Array(0), large],
  ] as const;
  for (const [id, [a, b]] of stored.entries())
    await client.query("insert into things values ($1, $2, $3)", [id, a, b]);
  const { rows } = await client.query<{ values: readonly (Uint8Array | null)[] }>(COPY);
  assert.deepEqual(
    rows.map(({ values }) => values),
    stored,
  );
  assert.equal(rows[1]?.values[1]?.buffer.byteLength, large.byteLength);
});

test("statements before and after a copy that fails are answered", async (context) => {
  const client = await open(context);
  const answers = await Promise.allSettled([
    client.query("select 1 as n"),
    client.query(COPY.replace("things", "nothing")),
    client.query("select $1::int as n", [2]),
    client.query(COPY),
  ]);
  assert.deepEqual(
    answers.map((answer) => (answer.status === "fulfilled" ? answer.value.rows : answer.reason.code)),
    [[{ n: 1 }], "42P01", [{ n: 2 }], []],
  );
});
