import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { openDatabase, startService, type TestDatabase } from "./support.ts";

async function ownIndexes(database: TestDatabase): Promise<readonly string[]> {
  const found = await sql<{ name: string }>`
    select name from sqlite_master where type = 'index' and name like 'kcs%' order by name`.execute(
    database.db,
  );
  return found.rows.map(({ name }) => name);
}

test("a second start changes nothing", async () => {
  const database = openDatabase();
  await startService({ database });
  const before = database.statements.length;
  await startService({ database });
  const changes = database.statements
    .slice(before)
    .filter((statement) => /^\s*(create|alter|drop)/i.test(statement));
  assert.deepEqual(changes, []);
});

test("processes that create the tables at the same time all start, with every table and index there", async () => {
  const alone = openDatabase();
  await startService({ database: alone });
  const database = openDatabase();
  const services = await Promise.all(Array.from({ length: 4 }, () => startService({ database })));
  assert.equal(services.length, 4);
  assert.deepEqual(await ownIndexes(database), await ownIndexes(alone));
  assert.ok((await ownIndexes(alone)).length >= 6);
});

test("indexes that a start which died did not make are made by the next", async () => {
  const database = openDatabase();
  await startService({ database });
  const all = await ownIndexes(database);
  for (const name of all) await sql`drop index ${sql.id(name)}`.execute(database.db);
  await startService({ database });
  assert.deepEqual(await ownIndexes(database), all);
});
