/** A process one of whose database threads ends without an error, before or after the database is open. */
import { writeFileSync, writeSync } from "node:fs";
import { openStore } from "../../src/adapters/database/open-store.ts";
import { createLog } from "../../src/log.ts";
import { watchDatabaseThreads } from "../../src/threads/database-threads.ts";
import { createTestThreads } from "../support/threads.ts";

const { deps } = createTestThreads();
const threads = watchDatabaseThreads({ ...deps, log: createLog("error") });
const { store } = await openStore({ databaseUrl: null, dataDir: process.argv[2] ?? "", threads });
await store.writeSetting({ name: "before", value: "the end", onlyIfAbsent: false });
writeSync(1, "committed\n");
writeFileSync(process.env["TEST_ENDING_FILE"] ?? "", "");
// As a service goes on: it listens.
setInterval(() => undefined, 1_000);
