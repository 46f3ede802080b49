/** A process whose database writer or reader runs an endless statement, and in which the watch's time passes at once. */
import { writeSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { openStore } from "../../src/adapters/database/open-store.ts";
import type { DatabaseRequest } from "../../src/adapters/database/thread-messages.ts";
import { createLog } from "../../src/log.ts";
import { createRpcClient } from "../../src/rpc/rpc.ts";
import { BEAT_MS } from "../../src/rpc/watch.ts";
import { watchDatabaseThreads } from "../../src/threads/database-threads.ts";
import { THREAD_KINDS } from "../../src/threads/kinds.ts";
import { createTestThreads } from "../support/threads.ts";

const ENDLESS = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n";
const UNANSWERED_MS = 300;

const [dataDir = "", role] = process.argv.slice(2);
const { deps } = createTestThreads();
const threads = watchDatabaseThreads({ ...deps, log: createLog("error") });
const { store, connectThread } = await openStore({ databaseUrl: null, dataDir, threads });
await store.writeSetting({ name: "before", value: "the loop", onlyIfAbsent: false });
writeSync(1, "committed\n");

const connection = connectThread();
if (connection.kind !== "sqlite") throw new Error("It is not the embedded database.");
const port = role === "writer" ? connection.write : connection.read;
// As another thread does. This one asks for nothing.
const client = createRpcClient<DatabaseRequest, unknown>(port);
const run = (sql: string) => client.call({ kind: "statement", sql, parameters: [] });
void run(ENDLESS);
const isAnswered = () => Promise.race([run("select 1").then(() => true), setTimeout(UNANSWERED_MS, false)]);
while (await isAnswered());
writeSync(1, "hangs\n");
const other = createRpcClient<DatabaseRequest, unknown>(
  role === "writer" ? connection.read : connection.write,
);
for (let ms = 0; ms <= THREAD_KINDS.writer.silenceMs; ms += BEAT_MS) {
  deps.watch.beat();
  // After the other thread's sign of life, which comes first.
  await other.call({ kind: "statement", sql: "select 1", parameters: [] });
}
process.kill(process.pid); // `process.exit` would wait for the endless statement.
