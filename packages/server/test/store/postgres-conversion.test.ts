/** A claim of a file waits for its project where others hold it: else files would starve behind the commits to it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { openStore } from "../../src/adapters/database/open-store.ts";
import type { ClaimedConversion } from "../../src/ports/file-store.ts";
import { usePostgres } from "../support/postgres.ts";
import { sendFiles } from "./behaviours/file-scene.ts";
import { createScenario } from "./scenario.ts";

const postgres = usePostgres();

test("a file is claimed though another worker holds its project", async (context) => {
  const connections = { total: 20, queryThreads: 1 };
  const opened = await openStore({ databaseUrl: await postgres.create(), dataDir: "", connections });
  const { store } = opened;
  context.after(() => store.close());
  const scenario = createScenario(store, "conversion");
  const project = await scenario.project();
  const [jobId] = await sendFiles(scenario, project, [["a", ["one"]]]);
  const { db } = opened.authDatabase();
  let claimed: Promise<ClaimedConversion | null> = Promise.resolve(null);
  await db.transaction().execute(async (holder) => {
    await sql`select 1 from projects where project_id = ${project.projectId} for update`.execute(holder);
    claimed = store.claimConversion({ leaseToken: "lease", now: 2_000, leaseUntil: 60_000 });
    const isAwaited = async () => {
      const { rows } = await sql`select 1 from pg_locks
        where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`.execute(holder);
      return rows.length > 0;
    };
    while (!(await isAwaited())) assert.equal(await Promise.race([claimed, "waits"]), "waits");
  });
  assert.equal((await claimed)?.jobId, jobId);
});
