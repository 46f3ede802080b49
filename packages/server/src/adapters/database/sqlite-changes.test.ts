import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import type { Statement } from "./sqlite-changes.ts";
import { createEngine } from "./sqlite-engine.ts";

const insert = (id: number): Statement => ({
  sql: "insert into item (id) values (?) returning id",
  parameters: [id],
});

function open() {
  const connection = new DatabaseSync(":memory:");
  connection.exec("create table item (id integer primary key) strict");
  const { engine } = createEngine(connection, "begin immediate");
  const count = () => connection.prepare("select * from item").all().length;
  return { connection, engine, count };
}

test("statements that are tried are undone, and kept together once they return the rows that are expected", async () => {
  const { connection, engine, count } = open();
  const statements = [insert(1), insert(2)];
  const { results, isKept } = await engine.tryOut({ statements, expected: null });
  assert.deepEqual([isKept, count()], [false, 0]);
  const expected = structuredClone(results.map(({ rows }) => rows));
  assert.deepEqual(expected, [[{ id: 1 }], [{ id: 2 }]]);
  const other = await engine.tryOut({ statements, expected: [[{ id: 1 }], []] });
  assert.deepEqual([other.isKept, count()], [false, 0]);
  const kept = await engine.tryOut({ statements, expected });
  assert.deepEqual([kept.isKept, count(), connection.isTransaction], [true, 2, false]);
});

test("where one of them fails, for want of space too, none is kept and the next ones work", async () => {
  const { connection, engine, count } = open();
  await assert.rejects(engine.tryOut({ statements: [insert(1), insert(1)], expected: [[], []] }), /UNIQUE/);
  assert.deepEqual([count(), connection.isTransaction], [0, false]);
  const { page_count: pages } = connection.prepare("pragma page_count").get() as { page_count: number };
  connection.exec(`pragma max_page_count = ${pages}`);
  const numbers = "with recursive n (id) as (select 10 union all select id + 1 from n limit 100000)";
  const fill = { sql: `${numbers} insert into item select id from n`, parameters: [] };
  const full = engine.tryOut({ statements: [insert(1), fill], expected: [[{ id: 1 }], []] });
  await assert.rejects(full, /full/);
  assert.deepEqual([count(), connection.isTransaction], [0, false]);
  assert.equal((await engine.tryOut({ statements: [insert(1)], expected: [[{ id: 1 }]] })).isKept, true);
});
