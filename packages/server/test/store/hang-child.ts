/** A process whose database writer or reader runs an endless statement, and in which the watch's time passes at once. */
import { writeSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { openStore } from "../../src/adapters/database/open-store.ts";
import type { DatabaseRequest } from "../../src/adapters/database/thread-messages.ts";
import { createLog } from "../../src/log.ts";
import { createRpcClient } from "../../src/rpc/rpc.ts";
import { watchDatabaseThreads } from "../../src/threads/database-threads.ts";
import { createTestThreads } from "../support/threads.ts";

const ENDLESS = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n";
const UNANSWERED_MS = 300;

const [dataDir = "", role] = process.argv.slice(2);
const { deps, passSilence } = createTestThreads();
const threads = watchDatabaseThreads({ ...deps, log: createLog("error") });
const { store, connectThread } = await openStore({ databaseUrl: null, dataDir, threads });
const write = () => store.writeSetting({ name: "before", value: "the loop", onlyIfAbsent: false });
await write();
writeSync(1, "committed\n");

const connection = connectThread();
if (connection.kind !== "sqlite") throw new Error("It is not the embedded database.");
const port = role === "writer" ? connection.write : connection.read;
void createRpcClient<DatabaseRequest, unknown>(port).call({
  kind: "statement",
  sql: ENDLESS,
  parameters: [],
});
const isAnswered = () =>
  Promise.race([
    (role === "writer" ? write() : store.ping()).then(() => true),
    setTimeout(UNANSWERED_MS, false),
  ]);
while (await isAnswered());
writeSync(1, "hangs\n");
passSilence("writer");
