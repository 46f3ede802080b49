/** The store's behaviours on PostgreSQL, and that each statement about rows of projects names the project. */
import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { recordStatements } from "../support/explained.ts";
import { usePostgres } from "../support/postgres.ts";
import { tablesOfProjects, unscopedTables } from "../support/scoped.ts";
import { describeStore } from "./store-suite.ts";

/** Their rows are also found by account, by the token of a lease, or because it is their turn. */
const OF_QUEUES = ["deleted_projects", "jobs", "model_replies", "projects", "reembeddings"];

const { create } = usePostgres();
const recorder = recordStatements();
let url = "";
const createRecorded = async () => {
  url = await create();
  return url;
};
describeStore("postgres", createRecorded, { wrap: async (store) => recorder.wrap(store) });

test("each statement about rows of projects names the project", async () => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const tables = await tablesOfProjects(client).finally(() => client.end());
  for (const table of OF_QUEUES) assert.ok(tables.delete(table), table);
  assert.ok(
    tables.size > 25 && recorder.sent.size > 1000,
    `${tables.size} tables, ${recorder.sent.size} statements`,
  );
  const unscoped = [...recorder.sent.values()].flatMap(({ operation, text }) =>
    unscopedTables(text, tables).map((table) => `${operation}: ${table}: ${text}`),
  );
  assert.deepEqual(unscoped, []);
});
