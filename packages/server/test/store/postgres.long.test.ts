/** What only a server has to promise: it may vanish, and several processes use it at once. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { sql } from "kysely";
import { startPostgres } from "../../../../scripts/test/postgres-server.ts";
import { migrations } from "../../src/adapters/database/migrations/index.ts";
import { openStore } from "../../src/adapters/database/open-store.ts";
import { openPostgres } from "../../src/adapters/database/postgres-store.ts";
import { DatabaseStartError } from "../../src/adapters/database/start-error.ts";
import { describeProcesses } from "../../src/commands.ts";
import type { CurrentWork } from "../../src/ports/current-work.ts";
import { StoreUnavailableError } from "../../src/ports/store.ts";
import { countBytesPerTurn } from "../support/bytes-per-turn.ts";
import { usePostgres } from "../support/postgres.ts";
import { commit, createScenario, visibleWords } from "./scenario.ts";

const postgres = usePostgres();

async function open(context: TestContext, databaseUrl: string, connections = 20) {
  const opened = await openStore({
    ...{ databaseUrl, dataDir: "" },
    connections: { total: connections, queryThreads: 1 },
  });
  context.after(() => opened.store.close());
  return opened;
}

test("processes that start at once on an empty database all find the schema", async (context) => {
  const databaseUrl = await postgres.createEmpty();
  const opened = await Promise.all([1, 2, 3, 4].map(() => open(context, databaseUrl)));
  for (const { store } of opened) await store.ping();
  const db = opened[0]?.authDatabase().db;
  assert(db);
  const { rows } = await sql`select number from schema_migrations`.execute(db);
  assert.equal(rows.length, migrations.length);
});

test("a list of the processes leaves the schema as it is", async () => {
  const databaseUrl = await postgres.createEmpty();
  await assert.rejects(describeProcesses({ databaseUrl, dataDir: "" }), /run kcs-server migrate/);
  const { store, authDatabase } = await openStore({ databaseUrl, dataDir: "", migrate: false });
  const { rows } = await sql`select 1 from pg_tables where schemaname = 'public'`.execute(authDatabase().db);
  await store.close();
  assert.equal(rows.length, 0);
  await (await openStore({ databaseUrl, dataDir: "" })).store.close();
  assert.equal(await describeProcesses({ databaseUrl, dataDir: "" }), "0 running, 0 ended within an hour");
});

test("a database of a newer version of the service is refused", async (context) => {
  const databaseUrl = await postgres.create();
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
  const databaseUrl = new URL(await postgres.create());
  databaseUrl.password = "secret-guess";
  await assert.rejects(openStore({ databaseUrl: databaseUrl.href, dataDir: "" }), (error) => {
    assert(error instanceof DatabaseStartError);
    assert(!error.message.includes("secret-guess"));
    return true;
  });
});

test("sessions that the server ends are replaced, and the work goes on", async (context) => {
  const { store, authDatabase } = await open(context, await postgres.create());
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

test("a session that the server ends while it works fails that work alone", async (context) => {
  const { store, authDatabase } = await open(context, await postgres.create());
  const scenario = createScenario(store, "at-work");
  const project = await scenario.project();
  const { db } = authDatabase();
  const ended = await db.transaction().execute(async (holder) => {
    await sql`select 1 from projects where project_id = ${project.projectId} for update`.execute(holder);
    let waits = true;
    const waiting = scenario
      .accept(project, [["a", "one"]])
      .catch((error: unknown) => error)
      .finally(() => {
        waits = false;
      });
    const end = sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`;
    while (waits) await end.execute(db);
    return waiting;
  });
  assert(ended instanceof StoreUnavailableError && ended.reason === "connection_lost", String(ended));
  assert.equal((await scenario.accept(project, [["a", "one"]])).outcome.kind, "accepted");
});

test("writes that wait for one project give up soon, keep nobody from reading, and its deletion outwaits them", async (context) => {
  const { store, authDatabase } = await open(context, await postgres.create());
  const scenario = createScenario(store, "busy");
  const [held, other] = [await scenario.project(), await scenario.project()];
  const writes: Promise<unknown>[] = [];
  let deletion = Promise.resolve(false);
  await authDatabase()
    .db.transaction()
    .execute(async (holder) => {
      await sql`select 1 from projects where project_id = ${held.projectId} for update`.execute(holder);
      deletion = store.deleteProject({ projectId: held.projectId });
      // With the deletion, as many as there are connections for writes.
      for (let count = 0; count < 9; count++) writes.push(scenario.accept(held, [["a", "one"]]));
      const settled = Promise.allSettled(writes);
      const reads = Promise.all([
        store.findProject(other),
        store.readIndexState(other),
        store.nextWork({ now: 1_000 }),
      ]);
      const firstWrite = Promise.race(writes).catch(() => "a write");
      assert.notEqual(await Promise.race([firstWrite, reads]), "a write");
      for (const result of await settled) {
        assert(result.status === "rejected");
        const error: unknown = result.reason;
        assert(error instanceof StoreUnavailableError && error.reason === "busy", String(error));
        assert.match(error.message, /locked by another change/);
      }
    });
  assert.equal(await deletion, true);
  assert.equal((await scenario.accept(other, [["a", "one"]])).outcome.kind, "accepted");
});

test("the slow calls of an account leave connections to others, and those of a client that has gone do not begin", async (context) => {
  let work: CurrentWork = { accountId: "", signal: null };
  const { store, authDatabase } = await openStore({
    databaseUrl: await postgres.create(),
    dataDir: "",
    currentWork: () => work,
    connections: { total: 20, queryThreads: 1 },
  });
  context.after(() => store.close());
  const scenario = createScenario(store, "turns");
  const project = await scenario.project();
  const { projectId } = project;
  const as = <Result>(accountId: string, call: () => Promise<Result>, signal: AbortSignal | null = null) => {
    work = { accountId, signal };
    return call();
  };
  const page = { limit: 1, offset: 0 };
  const list = () => store.listJobs({ projectId, page });
  const slow: Promise<unknown>[] = [];
  const gone = new AbortController();
  await authDatabase()
    .db.transaction()
    .execute(async (holder) => {
      await sql`lock table jobs in access exclusive mode`.execute(holder);
      for (let count = 0; count < 20; count++) {
        slow.push(as("busy", list));
        slow.push(as("busy", () => scenario.accept(project, [[`a${count}`, "one"]])));
      }
      const dropped = as("busy", list, gone.signal);
      gone.abort(new Error("gone"));
      await assert.rejects(dropped, /gone/);
      const other = Promise.all([
        as("other", () => store.findProject(project)),
        as("other", () => store.writeSetting({ name: "a", value: "b", onlyIfAbsent: false })),
      ]);
      assert.notEqual(await Promise.race([Promise.race(slow).then(() => "slow"), other]), "slow");
    });
  await Promise.all(slow);
});

/** Characters at random, always the same ones, of which `toCharacter` makes a text. */
function randomText(length: number, toCharacter: (random: number) => number): string {
  let state = 1;
  const parts = Array.from({ length }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return String.fromCharCode(toCharacter(state >>> 0));
  });
  return parts.join("");
}

test("a large document is read and decoded a few bytes in each turn of the event loop", async (context) => {
  const { store, authDatabase } = await open(context, await postgres.create());
  const scenario = createScenario(store, "large");
  const project = await scenario.project();
  const { projectId } = project;
  const texts = {
    // Takes most of its bytes when compressed; so many of one and two bytes that compression does not pay; takes almost none.
    compressed: randomText(6 << 20, (random) => 48 + (random & 63)),
    plain: randomText(4 << 20, (random) =>
      random & 1 ? 1 + ((random >>> 1) % 127) : 128 + ((random >>> 1) % 1_920),
    ),
    repeated: "oil € ".repeat(1 << 20),
  };
  await scenario.accept(project, Object.entries(texts));
  const { rows } = await sql<{ encoding: string; bytes: number }>`
    select encoding, octet_length(bytes) as bytes from version_texts order by version_id`.execute(
    authDatabase().db,
  );
  assert.deepEqual(
    rows.map(({ encoding, bytes }) => [encoding, bytes > 2 << 20]),
    [
      ["zstd", true],
      ["utf8", true],
      ["zstd", false],
    ],
  );
  for (const [sourceDocId, text] of Object.entries(texts)) {
    let read: string | null | undefined;
    const { most, total } = await countBytesPerTurn(context, async () => {
      read = (await store.readDocument({ projectId, sourceDocId }))?.text;
    });
    // `equal` would print both.
    assert.ok(read === text, `${sourceDocId}: another text`);
    assert.ok(total >= Buffer.byteLength(text), `${sourceDocId}: ${total} bytes counted`);
    assert.ok(most <= 2 << 20, `${sourceDocId}: ${most} bytes in one turn`);
  }
});

test("each transaction sets its own time limits, long ones for a deletion, and none are start-up parameters", async (context) => {
  const { store, authDatabase } = await open(context, await postgres.create());
  const { db } = authDatabase();
  const { rows: sources } = await sql<{ source: string }>`select distinct source from pg_settings
    where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')`.execute(db);
  assert.deepEqual(sources, [{ source: "session" }]);
  await sql`create table limits_seen (command text, statement_limit text, lock_limit text)`.execute(db);
  await sql`create function see_limits() returns trigger language plpgsql as $$ begin
    insert into limits_seen values (tg_op, current_setting('statement_timeout'), current_setting('lock_timeout'));
    return null; end $$`.execute(db);
  await sql`create trigger see_limits after update or delete on projects
    for each row execute function see_limits()`.execute(db);
  const scenario = createScenario(store, "limits");
  const project = await scenario.project();
  await scenario.accept(project, [["a", "one"]]);
  await store.deleteProject(project);
  const { rows } = await sql`select distinct * from limits_seen order by command desc`.execute(db);
  assert.deepEqual(rows, [
    { command: "UPDATE", statement_limit: "1min", lock_limit: "3s" },
    { command: "DELETE", statement_limit: "10min", lock_limit: "30s" },
  ]);
});

test("a process whose clock is a minute ahead keeps time with the server", async (context) => {
  const databaseUrl = await postgres.create();
  const maxConnections = { writes: 1, reads: 1 };
  const minuteAhead = () => Date.now() + 60_000;
  const { store } = await openPostgres(databaseUrl, {
    migrate: false,
    maxConnections,
    localClock: minuteAhead,
  });
  context.after(() => store.close());
  assert.ok(minuteAhead() - store.now() > 50_000, `${store.now()}`);
});

test("a server that has gone is told as a lost connection, without its address, by reads and writes", async (context) => {
  const server = await startPostgres();
  try {
    const { store } = await open(context, server.url);
    const scenario = createScenario(store, "gone");
    const project = await scenario.project();
    await server.stop();
    const lost = (error: unknown) =>
      error instanceof StoreUnavailableError &&
      error.reason === "connection_lost" &&
      !error.message.includes(new URL(server.url).port);
    await assert.rejects(store.ping(), lost);
    await assert.rejects(scenario.accept(project, [["a", "one"]]), lost);
    await assert.rejects(store.readIndexState({ projectId: project.projectId }), lost);
  } finally {
    await server.stop();
  }
});

test("a server that accepts no writes is told as read-only", async (context) => {
  const databaseUrl = await postgres.create();
  const first = await open(context, databaseUrl);
  const name = new URL(databaseUrl).pathname.slice(1);
  await sql`alter database ${sql.id(name)} set default_transaction_read_only = on`.execute(
    first.authDatabase().db,
  );
  // The setting holds for new sessions.
  await first.store.close();
  await assert.rejects(openStore({ databaseUrl, dataDir: "" }), /accepts no writes/);
});
