/** What only the embedded database has to promise: the disk, its lock, its threads, a sudden end. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { Worker } from "node:worker_threads";
import { sql } from "kysely";
import { createMigrationTable, migrate } from "../../src/adapters/database/migrate.ts";
import { type OpenedStore, openStore, portsOf } from "../../src/adapters/database/open-store.ts";
import type { Database } from "../../src/adapters/database/schema.ts";
import { DatabaseStartError } from "../../src/adapters/database/start-error.ts";
import { ServiceError } from "../../src/domain/errors.ts";
import { StoreUnavailableError } from "../../src/ports/store.ts";
import { chunkOf, commit, createScenario, ingest, LONG_AGO, TEST_SPACE, visibleWords } from "./scenario.ts";

/** The last migration before segments can be marked. */
const BEFORE_MARKS = 2;

function makeDataDir(context: TestContext): string {
  const parent = mkdtempSync(join(tmpdir(), "kcs-sqlite-"));
  context.after(() => rmSync(parent, { recursive: true, force: true }));
  return join(parent, "data");
}

async function open(context: TestContext, dataDir = makeDataDir(context)): Promise<OpenedStore> {
  const opened = await openStore({ databaseUrl: null, dataDir });
  context.after(() => opened.store.close());
  return opened;
}

function unavailable(reason: StoreUnavailableError["reason"]) {
  return (error: unknown) => {
    assert(error instanceof StoreUnavailableError, String(error));
    assert.equal(error.reason, reason);
    return true;
  };
}

test("the data directory and everything in it is the service's alone", async (context) => {
  const dataDir = makeDataDir(context);
  const { store } = await open(context, dataDir);
  await createScenario(store, "mode").project();
  assert.equal(statSync(dataDir).mode & 0o777, 0o700);
  const files = readdirSync(dataDir);
  assert(files.includes("knowledge.sqlite-wal"));
  for (const file of files) assert.equal(statSync(join(dataDir, file)).mode & 0o777, 0o600, file);
});

test("a closed database is one file: nothing is left in a write-ahead log", async (context) => {
  const dataDir = makeDataDir(context);
  for (let round = 0; round < 3; round++) {
    const { store } = await openStore({ databaseUrl: null, dataDir });
    await createScenario(store, `log ${round}`).project();
    await store.close();
    assert.deepEqual(
      readdirSync(dataDir).filter((file) => file.startsWith("knowledge.")),
      ["knowledge.sqlite"],
    );
  }
});

test("a data directory that was open to all is closed to others", async (context) => {
  const dataDir = makeDataDir(context);
  mkdirSync(dataDir);
  chmodSync(dataDir, 0o755);
  await open(context, dataDir);
  assert.equal(statSync(dataDir).mode & 0o777, 0o700);
});

test("a second opening of a data directory is refused by name, until the first is closed", async (context) => {
  const dataDir = makeDataDir(context);
  const { store } = await open(context, dataDir);
  await assert.rejects(openStore({ databaseUrl: null, dataDir }), (error) => {
    assert(error instanceof DatabaseStartError);
    assert(error.message.includes(dataDir));
    return true;
  });
  await store.close();
  await open(context, dataDir);
});

test("a database of a newer version of the service is refused", async (context) => {
  const dataDir = makeDataDir(context);
  const { store, authDatabase } = await open(context, dataDir);
  await sql`insert into schema_migrations (number, name, applied_at, oldest) values (999, 'from the future', 0, 999)`.execute(
    authDatabase().db,
  );
  await store.close();
  await assert.rejects(openStore({ databaseUrl: null, dataDir }), (error) => {
    assert(error instanceof DatabaseStartError);
    assert.match(error.message, /schema version 999/);
    return true;
  });
});

test("data is there again after a restart", async (context) => {
  const dataDir = makeDataDir(context);
  const first = await open(context, dataDir);
  const scenario = createScenario(first.store, "restart");
  const project = await scenario.project();
  await ingest(scenario, project, [["a", "one two"]]);
  await first.store.close();
  const { store } = await open(context, dataDir);
  assert.deepEqual(await visibleWords(store, project.projectId), { a: ["one", "two"] });
});

test("a full disk is told as such, loses nothing, and work goes on when there is room", async (context) => {
  const { store, authDatabase } = await open(context);
  const { db } = authDatabase();
  const scenario = createScenario(store, "full");
  const project = await scenario.project();
  await ingest(scenario, project, [["a", "one"]]);
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(db);
  await sql`pragma max_page_count = ${sql.lit(rows[0]?.page_count ?? 0)}`.execute(db);
  const noise = Array.from({ length: 40_000 }, (_, index) => ((index * 7_919) % 104_729).toString(36)).join(
    " ",
  );
  await assert.rejects(scenario.accept(project, [["b", noise]]), unavailable("disk_full"));
  assert.equal(
    (await store.listJobs({ projectId: project.projectId, page: { limit: 9, offset: 0 } })).length,
    1,
  );
  await sql`pragma max_page_count = 1000000`.execute(db);
  assert.equal((await scenario.accept(project, [["b", noise]])).outcome.kind, "accepted");
  assert.deepEqual(await visibleWords(store, project.projectId), { a: ["one"] });
});

test("a database that cannot be written is told as such, and reads go on", async (context) => {
  const { store, authDatabase } = await open(context);
  const scenario = createScenario(store, "readonly");
  const project = await scenario.project();
  await sql`pragma query_only = on`.execute(authDatabase().db);
  await assert.rejects(scenario.project(), unavailable("read_only"));
  assert.deepEqual(await store.findProject({ projectId: project.projectId }), project);
});

test("whether the database answers is found out by reading a table", async (context) => {
  const { store, authDatabase } = await open(context);
  const { db } = authDatabase();
  await store.ping();
  await sql`alter table projects rename to elsewhere`.execute(db);
  await assert.rejects(store.ping(), /projects/);
  await sql`alter table elsewhere rename to projects`.execute(db);
  await store.ping();
});

test("closing waits for what was asked before, and refuses what comes after", async (context) => {
  const { store } = await open(context);
  const writes = Array.from({ length: 50 }, (_, index) =>
    store.writeSetting({ name: `s${index}`, value: "x", onlyIfAbsent: false }),
  );
  await store.close();
  assert.deepEqual(new Set(await Promise.all(writes)), new Set(["x"]));
  await assert.rejects(store.ping(), unavailable("io_error"));
  await store.close();
});

test("more requests than the database thread's queue holds are refused, and the others answered", async (context) => {
  const { store } = await open(context);
  const outcomes = await Promise.allSettled(Array.from({ length: 3_000 }, () => store.ping()));
  const refused = outcomes.filter((outcome) => outcome.status === "rejected");
  assert.equal(refused.length, 3_000 - 2_048 - 3, "Three are with the thread.");
  for (const { reason } of refused) assert(reason instanceof ServiceError && reason.kind === "unavailable");
  await store.ping();
});

test("another thread reads and writes through ports, or reads with a connection of its own", async (context) => {
  const opened = await open(context);
  const writing = opened.connectThread();
  const reading = opened.connectThread();
  const worker = new Worker(new URL("./thread-child.ts", import.meta.url), {
    workerData: { writing, reading },
    transferList: [...portsOf(writing), ...portsOf(reading)],
  });
  const told = await new Promise<{ projectId: string; outcome: string; vectors: unknown; writes: boolean }>(
    (resolve, reject) => worker.once("message", resolve).once("error", reject),
  );
  assert.equal(told.outcome, "committed");
  assert.equal(told.writes, false);
  assert.deepEqual(told.vectors, [chunkOf("two", 1).vector]);
  assert.deepEqual(await visibleWords(opened.store, told.projectId), { a: ["one", "two"] });
});

test("a batch does not carry along the memory that its vectors are cut from", async (context) => {
  const { store } = await open(context);
  const scenario = createScenario(store, "views");
  const project = await scenario.project();
  await scenario.accept(project, [["a", "one"]]);
  const claimed = await scenario.claim();
  const [job] = claimed.jobs;
  assert(job);
  // A WASM memory cannot be copied to another thread at all.
  const heap = new WebAssembly.Memory({ initial: 1 }).buffer;
  const vector = new Float32Array(heap, 64, 4);
  vector.set([1, 2, 3, 4]);
  const segment = new Uint8Array(heap, 64, 3);
  const outcome = await store.commitBatch({
    space: TEST_SPACE,
    projectId: project.projectId,
    leaseToken: claimed.leaseToken,
    now: 1,
    leaseUntil: 2,
    segment,
    parts: [
      {
        jobId: job.jobId,
        versionId: job.versionId,
        chunks: [{ ...chunkOf("one", 0), vector }],
        tokens: 0,
        finished: true,
      },
    ],
    tokenLimit: null,
    month: "2031-04",
  });
  assert.equal(outcome, "committed");
  const { projectId } = project;
  const stored = await store.readVectors({
    projectId,
    vectorSet: 0,
    keys: [{ versionId: job.versionId, position: 0 }],
  });
  assert.deepEqual(stored, [new Float32Array([1, 2, 3, 4])]);
  assert.deepEqual(await store.readSegment({ projectId, segmentId: 1 }), new Uint8Array(segment));
});

test("deleted data gives its pages back to the file system, some at a time, but not what the next writes take", async (context) => {
  const { store, authDatabase } = await open(context);
  const scenario = createScenario(store, "pages");
  const project = await scenario.project();
  let fills = 0;
  const fill = async (documentId: string, megabytes: number) => {
    await scenario.accept(project, [[documentId, `one ${fills++}`]]);
    const claimed = await scenario.claim();
    const segment = new Uint8Array(megabytes << 20);
    assert.equal(await commit(store, claimed, { segment }), "committed");
  };
  const pages = async (name: "page_count" | "freelist_count") => {
    const { rows } = await sql<Record<string, number>>`pragma ${sql.raw(name)}`.execute(authDatabase().db);
    return rows[0]?.[name] ?? 0;
  };
  await fill("small", 4);
  await fill("large", 24);
  await fill("large", 1);
  const before = await pages("page_count");
  assert.equal(await store.reclaim({ now: 0, maxPages: 5 }), true);
  assert.equal(await pages("page_count"), before - 5);
  while (await store.reclaim({ now: 0, maxPages: 1_000 }));
  const left = await pages("freelist_count");
  assert.equal(left, (16 << 20) / 8_192);
  // What is replaced over and over takes the pages that it freed before.
  const size = await pages("page_count");
  for (let round = 2; round < 6; round++) {
    await fill("small", 4 + (round % 2));
    while (await store.reclaim({ now: 0, maxPages: 1_000 }));
    assert.equal(await pages("page_count"), size);
  }
});

test("segments that an older version of the service wrote are marked to be built again", async (context) => {
  const dataDir = makeDataDir(context);
  const before = await open(context, dataDir);
  const { projectId } = await createScenario(before.store, "older").project();
  const { db } = before.authDatabase();
  const project = (await sql<Record<string, unknown>>`select * from projects`.execute(db)).rows[0];
  const tables = await sql<{ name: string }>`select name from sqlite_master
    where type = 'table' and name not like 'sqlite_%'`.execute(db);
  for (const { name } of tables.rows) await sql`drop table ${sql.id(name)}`.execute(db);
  await createMigrationTable("sqlite").execute(db);
  await migrate(db as unknown as Database, { kind: "sqlite", now: 0, upTo: BEFORE_MARKS });
  const columns = await sql<{ name: string }>`select name from pragma_table_info('projects')`.execute(db);
  const names = columns.rows.map(({ name }) => name);
  await sql`insert into projects (${sql.join(names.map((name) => sql.id(name)))})
    values (${sql.join(names.map((name) => project?.[name] ?? 0))})`.execute(db);
  await sql`insert into segments values (${projectId}, 1, 4, 1, 0)`.execute(db);
  await before.store.close();
  const { store } = await open(context, dataDir);
  assert.deepEqual(await store.listDamagedSegments({ projectId }), [1]);
  assert.equal((await store.nextUpkeep({ now: 0, minSegments: 8 })).readyNow, true);
});

/** The part of the interface that is used here; its types come with browsers' libraries only. */
declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer };
};

interface Committed {
  readonly kind: "committed";
  readonly projectId: string;
  readonly versionId: number;
  readonly position: number;
  readonly word: string;
}
interface Accepted {
  readonly kind: "accepted";
  readonly projectId: string;
  readonly jobId: string;
}

test("what was acknowledged before a kill -9 is there after it, and unfinished jobs go on", async (context) => {
  const dataDir = makeDataDir(context);
  const events: (Committed | Accepted)[] = [];
  for (const [round, kills] of [17, 40, 5].entries())
    events.push(...(await runUntilKilled(dataDir, round, kills)));

  const { store } = await open(context, dataDir);
  for (const event of events) {
    const { projectId } = event;
    if (event.kind === "accepted") {
      assert.notEqual(await store.findJob({ projectId, jobId: event.jobId }), null);
      continue;
    }
    const [chunk] = await store.readChunks({ projectId, keys: [event] });
    assert.equal(chunk?.text, event.word);
    const [vector] = await store.readVectors({ projectId, vectorSet: 0, keys: [event] });
    assert.deepEqual(vector, chunkOf(event.word, event.position).vector);
  }
  await store.expireAllLeases({ now: LONG_AGO });
  const scenario = createScenario(store, "after");
  for (;;) {
    const claimed = await scenario.claim();
    if (claimed.jobs.length === 0) break;
    assert.equal(await commit(store, claimed), "committed");
  }
  for (const event of events) {
    if (event.kind !== "accepted") continue;
    const job = await store.findJob(event);
    assert.deepEqual([job?.status, job?.chunksProcessed], ["completed", 3]);
  }
  assert((await store.readCounts()).jobsPending === 0);
});

/** Starts a process that ingests, and kills it in the middle of its work after so many events. */
function runUntilKilled(
  dataDir: string,
  round: number,
  kills: number,
): Promise<readonly (Committed | Accepted)[]> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, "crash-child.ts"), dataDir, `${round}`],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    const events: (Committed | Accepted)[] = [];
    const lines = createInterface({ input: child.stdout });
    lines.on("line", (line) => {
      events.push(JSON.parse(line));
      if (events.length === kills) child.kill("SIGKILL");
    });
    let signal: NodeJS.Signals | null = null;
    child.on("error", reject);
    child.on("exit", (_, by) => {
      signal = by;
    });
    lines.on("close", () => {
      if (events.length >= kills) resolve(events);
      else reject(new Error(`The process ended by itself after ${events.length} events (${signal}).`));
    });
  });
}
