/** The graphs that are there get the project into their keys, as they are. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { migrate } from "../../src/adapters/database/migrate.ts";
import { graphTables } from "../../src/adapters/database/migrations/040-graph-keys.ts";
import { openStore } from "../../src/adapters/database/open-store.ts";
import type { Database } from "../../src/adapters/database/schema.ts";
import { undoGraphKeys, withOldNumbers } from "../support/before-graph-keys.ts";
import { usePostgres } from "../support/postgres.ts";
import { graphOf } from "./behaviours/graph-facts.ts";
import { createScenario, ingest } from "./scenario.ts";

const postgres = usePostgres();
const TEXT =
  "Ada>knows>Bob;Ada~Countess Bob>likes>Ada;A?Ada Ada.height=3;Ada>>met>Bob Poets<Ada Ada>was[1990..1995@2001!]>Cid";

for (const kind of ["sqlite", "postgres"] as const) {
  test(`the graphs of all projects keep their rows and numbers, and continue, on ${kind}`, async (context) => {
    const dataDir = mkdtempSync(join(tmpdir(), "kcs-graph-keys-"));
    context.after(() => rmSync(dataDir, { recursive: true, force: true }));
    const databaseUrl = kind === "postgres" ? await postgres.create() : null;
    const { store, authDatabase } = await openStore({ databaseUrl, dataDir });
    context.after(() => store.close());
    const db = authDatabase().db as Database; // The same database, typed with its tables.
    const scenario = createScenario(store, "keys");
    const projects = [await scenario.project(), await scenario.project()];
    for (const [at, project] of projects.entries())
      await ingest(scenario, project, [["a", `${TEXT} ${"Own".repeat(at + 1)}>knows>Ada`]], { graphOf });
    const ids = projects.map(({ projectId }) => projectId);
    const read = async (numbersOf: readonly string[]) => {
      const tables: Record<string, readonly unknown[]> = {};
      for (const table of Object.keys(graphTables)) {
        const columns = withOldNumbers(table, numbersOf);
        const { rows } = await sql`select project_id, ${columns} from ${sql.table(table)}`.execute(db);
        tables[table] = rows.map((row) => JSON.stringify(row)).toSorted();
      }
      return tables;
    };
    const before = await read(ids);
    for (const [table, rows] of Object.entries(before)) assert.ok(rows.length > 1, table);
    await undoGraphKeys(db, ids);
    await migrate(db, { kind, now: 1 });

    assert.deepEqual(await read(ids.slice(0, 1)), before);
    for (const project of projects)
      await ingest(scenario, project, [["b", "Ada>knows>New;New>knows>Newer"]], { graphOf });
    for (const projectId of ids) {
      const { rows } = await sql<{ name_key: string }>`select name_key from entities
        where project_id = ${projectId} order by node_id desc limit 2`.execute(db);
      assert.deepEqual(rows.map((row) => row.name_key).toSorted(), ["new", "newer"]);
    }
  });
}
