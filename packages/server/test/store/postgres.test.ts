/** What only a server has to promise: it may vanish, and several processes use it at once. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { sql } from "kysely";
import { openStore } from "../../src/adapters/database/open-store.ts";
import { DatabaseStartError } from "../../src/adapters/database/start-error.ts";
import { StoreUnavailableError } from "../../src/ports/store.ts";
import { startPostgres, usePostgres } from "../support/postgres.ts";
import { commit, createScenario, visibleWords } from "./scenario.ts";

const createDatabase = usePostgres();

async function open(context: TestContext, databaseUrl: string) {
  const opened = await openStore({ databaseUrl, dataDir: "" });
  context.after(() => opened.store.close());
  return opened;
}

test("processes that start at once on an empty database all find the schema", async (context) => {
  const databaseUrl = await createDatabase();
  const opened = await Promise.all([1, 2, 3, 4].map(() => open(context, databaseUrl)));
  for (const { store } of opened) await store.ping();
  const db = opened[0]?.authDatabase().db;
  assert(db);
  const { rows } = await sql`select number from schema_migrations`.execute(db);
  assert.equal(rows.length, 1);
});

test("a database of a newer version of the service is refused", async (context) => {
  const databaseUrl = await createDatabase();
  const { store, authDatabase } = await open(context, databaseUrl);
  await sql`insert into schema_migrations values (999, 'from the future', 0)`.execute(authDatabase().db);
  await store.close();
  await assert.rejects(openStore({ databaseUrl, dataDir: "" }), (error) => {
    assert(error instanceof DatabaseStartError);
    assert.match(error.message, /schema version 999/);
    return true;
  });
});

test("a wrong password or database is told at the start, without the password", async () => {
  const databaseUrl = new URL(await createDatabase());
  databaseUrl.password = "secret-guess";
  await assert.rejects(openStore({ databaseUrl: databaseUrl.href, dataDir: "" }), (error) => {
    assert(error instanceof DatabaseStartError);
    assert(!error.message.includes("secret-guess"));
    return true;
  });
});

test("sessions that the server ends are replaced, and the work goes on", async (context) => {
  const { store, authDatabase } = await open(context, await createDatabase());
  const scenario = createScenario(store, "ended");
  const project = await scenario.project();
  await scenario.accept(project, [["a", "one two"]]);
  const claimed = await scenario.claim();
  const others = sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`;
  await others.execute(authDatabase().db);
  // The session that ended the others may be the only one left.
  for (let tries = 0; ; tries++) {
    try {
      assert.equal(await commit(store, claimed), "committed");
      break;
    } catch (error) {
      assert(error instanceof StoreUnavailableError && error.reason === "connection_lost", String(error));
      assert(tries < 10);
    }
  }
  assert.deepEqual(await visibleWords(store, project.projectId), { a: ["one", "two"] });
});

test("a server that has gone is told as a lost connection, by reads and writes", async (context) => {
  const server = await startPostgres();
  try {
    const { store } = await open(context, await server.createDatabase());
    const scenario = createScenario(store, "gone");
    const project = await scenario.project();
    await server.stop();
    const lost = (error: unknown) =>
      error instanceof StoreUnavailableError && error.reason === "connection_lost";
    await assert.rejects(store.ping(), lost);
    await assert.rejects(scenario.accept(project, [["a", "one"]]), lost);
    await assert.rejects(store.readIndexState({ projectId: project.projectId }), lost);
  } finally {
    await server.stop();
  }
});

test("a server that accepts no writes is told as read-only", async (context) => {
  const databaseUrl = await createDatabase();
  const first = await open(context, databaseUrl);
  const name = new URL(databaseUrl).pathname.slice(1);
  await sql`alter database ${sql.id(name)} set default_transaction_read_only = on`.execute(
    first.authDatabase().db,
  );
  // The setting holds for new sessions.
  await first.store.close();
  await assert.rejects(openStore({ databaseUrl, dataDir: "" }), /accepts no writes/);
});
