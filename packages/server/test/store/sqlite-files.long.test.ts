/** The files of the embedded database are moved, deleted or replaced under a running service: nothing is written that would be lost. */
import assert from "node:assert/strict";
import { copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { sql } from "kysely";
import { openStore, openThreadReader } from "../../src/adapters/database/open-store.ts";
import { DatabaseStartError } from "../../src/adapters/database/start-error.ts";
import { StoreUnavailableError } from "../../src/ports/store.ts";

async function open(context: TestContext) {
  const parent = mkdtempSync(join(tmpdir(), "kcs-files-"));
  context.after(() => rmSync(parent, { recursive: true, force: true }));
  const dataDir = join(parent, "data");
  const opened = await openStore({ databaseUrl: null, dataDir });
  context.after(() => opened.store.close());
  const write = (value: string) => opened.store.writeSetting({ name: "a", value, onlyIfAbsent: false });
  await write("before");
  return { ...opened, dataDir, write, path: (name: string) => join(dataDir, name) };
}

function misplaced(told: RegExp) {
  return (error: unknown) => {
    assert(error instanceof StoreUnavailableError, String(error));
    assert.equal(error.reason, "misplaced");
    assert.match(error.message, told);
    return true;
  };
}

const GONE = misplaced(/^The database was moved, deleted or replaced/);
const WITHOUT_LOG = misplaced(/^The write-ahead log .* Stop the service, which saves/);
const UNLOCKED = misplaced(/^The file lock\.sqlite .* Stop every service/);

test("in a data directory that was moved away nothing is written, but read; when it is back, work goes on", async (context) => {
  const { store, authDatabase, dataDir, write } = await open(context);
  const { db } = authDatabase();
  renameSync(dataDir, `${dataDir}-elsewhere`);
  await assert.rejects(write("lost"), GONE);
  await assert.rejects(sql`insert into settings values ('b', 'lost')`.execute(db), GONE);
  await assert.rejects(store.ping(), GONE);
  assert.equal(await store.readSetting({ name: "a" }), "before");
  assert.deepEqual((await sql`select value from settings where name = 'a'`.execute(db)).rows, [
    { value: "before" },
  ]);
  renameSync(`${dataDir}-elsewhere`, dataDir);
  await store.ping();
  assert.equal(await write("after"), "after");
  await store.close();
  const again = await openStore({ databaseUrl: null, dataDir });
  assert.equal(await again.store.readSetting({ name: "a" }), "after");
  await again.store.close();
});

test("when the database is deleted nothing is written, and it can still be read", async (context) => {
  const { store, write, path } = await open(context);
  rmSync(path("knowledge.sqlite"));
  await assert.rejects(write("lost"), GONE);
  await assert.rejects(store.ping(), GONE);
  assert.equal(await store.readSetting({ name: "a" }), "before");
});

test("when the write-ahead log is deleted nothing is written, and a stop saves what it contained", async (context) => {
  const { store, write, dataDir, path } = await open(context);
  rmSync(path("knowledge.sqlite-wal"));
  await assert.rejects(write("lost"), WITHOUT_LOG);
  await assert.rejects(store.ping(), WITHOUT_LOG);
  await store.close();
  const again = await openStore({ databaseUrl: null, dataDir });
  context.after(() => again.store.close());
  assert.equal(await again.store.readSetting({ name: "a" }), "before");
});

test("a database in the place of the one that is open is not written, and no new connection reads it", async (context) => {
  const { store, write, connectThread, path } = await open(context);
  copyFileSync(path("knowledge.sqlite"), path("backup"));
  renameSync(path("backup"), path("knowledge.sqlite"));
  await assert.rejects(write("lost"), GONE);
  await assert.rejects(store.ping(), GONE);
  await assert.rejects(openThreadReader(connectThread()), GONE);
});

test("without its lock a service does not write, so that another one alone can use the data directory", async (context) => {
  const { store, write, dataDir, path } = await open(context);
  rmSync(path("lock.sqlite"));
  await assert.rejects(write("without a lock"), UNLOCKED);
  const second = await openStore({ databaseUrl: null, dataDir });
  context.after(() => second.store.close());
  await assert.rejects(write("at the same time"), UNLOCKED);
  await assert.rejects(store.ping(), UNLOCKED);
  await second.store.ping();
  assert.equal(await second.store.writeSetting({ name: "a", value: "alone", onlyIfAbsent: false }), "alone");
});

test("a database that is gone is not begun anew where its write-ahead log is left, which would be deleted", async (context) => {
  const { dataDir, path } = await open(context);
  const copy = join(dataDir, "copy");
  mkdirSync(copy);
  copyFileSync(path("knowledge.sqlite-wal"), join(copy, "knowledge.sqlite-wal"));
  await assert.rejects(openStore({ databaseUrl: null, dataDir: copy }), (error) => {
    assert(error instanceof DatabaseStartError);
    assert.match(error.message, /knowledge\.sqlite is missing, but .* knowledge\.sqlite-wal/);
    return true;
  });
  assert.ok(statSync(join(copy, "knowledge.sqlite-wal")).size > 0);
});

for (const name of ["knowledge.sqlite", "lock.sqlite"]) {
  test(`a folder in the place of ${name} is told in words`, async (context) => {
    const dataDir = mkdtempSync(join(tmpdir(), "kcs-files-"));
    context.after(() => rmSync(dataDir, { recursive: true, force: true }));
    mkdirSync(join(dataDir, name));
    await assert.rejects(openStore({ databaseUrl: null, dataDir }), {
      name: "DatabaseStartError",
      message: `${join(dataDir, name)} is a folder, but must be a file. Move the folder away.`,
    });
  });
}
