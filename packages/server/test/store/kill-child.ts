/**
 * A process that ends the work which a killed one began, tells what is stored, and then begins the same work in a project of its own,
 * until it is killed at the commit that the file says (`kill-preload.ts`).
 *
 *   node --import kill-preload.ts kill-child.ts STORY DATA_DIR DATABASE_URL KILLED BEGUN ORDER
 *
 * KILLED and BEGUN are numbers of rounds, or empty.
 */
import { rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "../../src/adapters/database/open-store.ts";
import { adopt, folderIn } from "../support/outside.ts";
import { live } from "./kill-stories.ts";
import { LONG_AGO } from "./scenario.ts";

const [story = "", dataDir = "", databaseUrl = "", killed = "", begun = "", order = ""] =
  process.argv.slice(2);
const file = process.env["TEST_KILL_FILE"] ?? "";
rmSync(file, { force: true });
const opened = await openStore({ databaseUrl: databaseUrl === "" ? null : databaseUrl, dataDir });
if (opened.kind === "sqlite") await opened.store.expireAllLeases({ now: LONG_AGO });
const store = story === "merge outside" ? await adopt(opened.store, folderIn(dataDir).objects) : opened.store;
const place = { store, story, journals: join(dataDir, "journals"), files: join(dataDir, "files"), dataDir };
if (killed !== "") tell({ round: killed, left: await live({ ...place, round: killed, isResumed: true }) });
if (begun !== "") {
  writeFileSync(file, order);
  tell({ round: begun, left: await live({ ...place, round: begun, isResumed: false }) });
}
await store.close();

/** Written at once, before the process may be killed. */
function tell(event: object): void {
  writeSync(1, `${JSON.stringify(event)}\n`);
}
