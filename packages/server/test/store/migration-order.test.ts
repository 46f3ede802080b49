/** Migrations expand, so that processes of the previous release go on beside those of this one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from "kysely";
import { migrations } from "../../src/adapters/database/migrations/index.ts";

/** Those before were released, or were never beside an older process. */
const FIRST_EXPANDING = 25;
const TAKES_AWAY = /\b(?:drop (?:table|column)|rename (?:to|column)|alter column|set not null)\b/i;
const NEEDS_VALUE = /\badd column\b(?=.*\bnot null\b)(?!.*\bdefault\b)/is;

const text = sql`text`;
const types = {
  text,
  integer: text,
  bytes: text,
  identity: text,
  end: sql``,
  clustered: sql``,
  nodeOf: () => text,
};
/** Compiles statements and runs none. */
const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

test("the numbers of migrations have no gaps", () => {
  assert.deepEqual(
    migrations.map(({ number }) => number),
    migrations.map((_, at) => at + 1),
  );
});

test("a migration takes nothing from processes that know the one before, unless it says so", () => {
  for (const { number, name, oldest, statements } of migrations) {
    if (number < FIRST_EXPANDING || oldest === number) continue;
    for (const statement of statements(types)) {
      const compiled = statement.compile(compiler).sql;
      assert.doesNotMatch(compiled, TAKES_AWAY, `${number} ${name}: needs \`oldest\``);
      assert.doesNotMatch(compiled, NEEDS_VALUE, `${number} ${name}: older processes write no value`);
    }
  }
});
