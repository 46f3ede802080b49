/** A server that keeps its connections but does not answer, as one does that is stopped, or behind a broken network. */
import assert from "node:assert/strict";
import { createServer, connect as dial, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { sql } from "kysely";
import { translatePostgresError } from "../../src/adapters/database/postgres-errors.ts";
import {
  createPool,
  databaseOver,
  type TimeLimits,
  timeLimits,
  usualTimes,
} from "../../src/adapters/database/postgres-pool.ts";
import { StoreUnavailableError } from "../../src/ports/store.ts";
import { usePostgres } from "../support/postgres.ts";

const postgres = usePostgres();
const times = { suspiciousMs: 200, checkMs: 50, probeMs: 500, graceMs: 200 };

const READY_FOR_QUERY = "Z".charCodeAt(0);

/** Between the pool and the server; while it is frozen, it takes connections and passes nothing on, or as a pooler logins only. */
async function startProxy(context: TestContext, databaseUrl: string) {
  const target = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  let frozen: "all" | "statements" | null = null;
  let taken = 0;
  const server = createServer((client) => {
    taken++;
    const upstream = dial(Number(target.port), target.hostname);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on("data", (data) => {
        to.write(data);
        // The last message of a login, and of a statement.
        if (frozen === "statements" && from === upstream && data.at(-6) === READY_FOR_QUERY) client.pause();
      });
      from.on("close", () => to.destroy());
      from.on("error", () => to.destroy());
      if (frozen === "all") from.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  assert(address !== null && typeof address === "object");
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(address.port);
  return {
    url: url.href,
    taken: () => taken,
    /** "open": only the connections that are open now. */
    freeze(what: "all" | "open" | "statements" | "none") {
      frozen = what === "all" || what === "statements" ? what : null;
      const to = what !== "none";
      for (const socket of sockets)
        if (to) socket.pause();
        else socket.resume();
    },
  };
}

function isLost(error: unknown): true {
  const told = translatePostgresError(error);
  assert.ok(told instanceof StoreUnavailableError, String(error));
  assert.equal(told.reason, "connection_lost");
  return true;
}

async function setUp(context: TestContext, limits: TimeLimits = timeLimits.usual, probeMs = times.probeMs) {
  const proxy = await startProxy(context, await postgres.create());
  const pool = createPool(proxy.url, 2, { times: { ...usualTimes, watch: { ...times, probeMs } } });
  context.after(() => pool.end());
  return { proxy, db: databaseOver(pool, limits) };
}

test("what runs on a server that stops answering fails in time, also inside a transaction, and later calls succeed", async (context) => {
  const { proxy, db } = await setUp(context);
  await sql`select 1`.execute(db);
  proxy.freeze("all");
  const reading = sql`select 1`.execute(db);
  const writing = db.transaction().execute((scoped) => sql`select 1`.execute(scoped));
  const began = performance.now();
  for (const call of [reading, writing]) await assert.rejects(call, isLost);
  // Statements may take a minute; whoever waits for that waits too long here.
  assert.ok(performance.now() - began < timeLimits.usual.statementMs / 2);
  proxy.freeze("none");
  await sql`select 1`.execute(db);
});

test("what runs on a server that stops answering behind a pooler that still takes logins fails in time", async (context) => {
  const { proxy, db } = await setUp(context);
  await sql`select 1`.execute(db);
  proxy.freeze("statements");
  const began = performance.now();
  await assert.rejects(sql`select 1`.execute(db), isLost);
  assert.ok(performance.now() - began < timeLimits.usual.statementMs / 2);
  proxy.freeze("none");
  await sql`select 1`.execute(db);
});

test("a slow statement of a server that answers is left alone", async (context) => {
  const { proxy, db } = await setUp(context, timeLimits.usual, 10_000);
  const { rows } = await sql`select 'done' as said from pg_sleep(1.2)`.execute(db);
  assert.deepEqual(rows, [{ said: "done" }]);
  assert.ok(proxy.taken() > 1, "nobody asked whether the server answers");
});

test("what runs on a connection that the network has forgotten fails after the server's own limit, and its place is free again", async (context) => {
  const { proxy, db } = await setUp(context, { statementMs: 400, lockMs: 400 });
  const forgotten = db.transaction().execute(async (scoped) => {
    proxy.freeze("open");
    await sql`select 1`.execute(scoped);
  });
  await assert.rejects(forgotten, isLost);
  await Promise.all([1, 2].map(() => sql`select 1`.execute(db)));
});
