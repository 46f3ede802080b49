/** Entities that were made before the limit of names. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, type TestContext, test } from "node:test";
import { sql } from "kysely";
import { openStore } from "../../src/adapters/database/open-store.ts";
import { usePostgres } from "../support/postgres.ts";
import { graphOf } from "./behaviours/graph-facts.ts";
import { chain } from "./behaviours/graph-limits.ts";
import { createScenario, ingest } from "./scenario.ts";

const postgres = usePostgres();
const page = { limit: 1, offset: 0 };

async function open(context: TestContext, databaseUrl: string | null) {
  const dataDir = mkdtempSync(join(tmpdir(), "kcs-large-"));
  const opened = await openStore({ databaseUrl, dataDir });
  context.after(async () => {
    await opened.store.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
  return opened;
}

for (const kind of ["sqlite", "postgres"] as const) {
  describe(`entities of too many names on ${kind}`, () => {
    test("are divided by upkeep, and counted", async (context) => {
      const { store, authDatabase } = await open(context, kind === "sqlite" ? null : await postgres.create());
      const scenario = createScenario(store, "large");
      const project = await scenario.project();
      const { projectId } = project;
      await ingest(scenario, project, [["a", `${chain("A", 0, 80)};B1~B2;B2~B3`]], { graphOf });
      const totals = async () => {
        const { entities } = await store.readGraphTypes({ projectId });
        const { total } = await store.listEntities({ projectId, page });
        return [total, entities.reduce((sum, { count }) => sum + count, 0)];
      };
      assert.deepEqual(await totals(), [82, 82]);
      // As an earlier release stored it.
      const { db } = authDatabase();
      await sql`update entities set entity_id = (select min(node_id) from entities where name_key like 'a%')
        where name_key like 'a%'`.execute(db);
      await sql`update entity_types set count = 2`.execute(db);
      assert.deepEqual(await totals(), [2, 2]);
      for (let rounds = 0; await store.reclaim({ now: 0, maxPages: 0 }); rounds++) assert.ok(rounds < 9);
      assert.deepEqual(await totals(), [82, 82]);
      const { entities } = await store.listEntities({ projectId, page: { limit: 99, offset: 0 } });
      assert.equal(entities.filter(({ key }) => key.startsWith("b")).length, 1);
    });
  });
}
