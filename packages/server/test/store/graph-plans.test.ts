/** SQLite, which knows no statistics, finds what the graph has of a name by the name, and does not read the project. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { Kysely } from "kysely";
import { openStore } from "../../src/adapters/database/open-store.ts";
import { toStored } from "../../src/adapters/database/operations/graph-facts.ts";
import { changeGraph } from "../../src/adapters/database/operations/graph-ledger.ts";
import { findLeft, inTurns } from "../../src/adapters/database/operations/left-changes.ts";
import { operations } from "../../src/adapters/database/operations/registry.ts";
import type { Schema } from "../../src/adapters/database/schema.ts";
import { createSqliteDialect, createStatementRunner } from "../../src/adapters/database/sqlite-dialect.ts";
import { graphOf } from "./behaviours/graph-facts.ts";
import { chunkOf, createScenario, follow, ingest } from "./scenario.ts";

const TEXT =
  "Ada>knows>Bob;Ada~Countess;A?Ada;Ada.height=3;Ada>>met>Bob;Poets<Ada;Ada>was[1990..1995@2001!]>Cid";

test("a change of the graph and a question to it read no project as a whole", async (context) => {
  const dataDir = mkdtempSync(join(tmpdir(), "kcs-plans-"));
  context.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const { store } = await openStore({ dataDir, databaseUrl: null });
  context.after(() => store.close());
  const scenario = createScenario(store, "plans");
  const project = await scenario.project();
  const { projectId } = project;
  await ingest(scenario, project, [["a", TEXT]], { graphOf });
  await follow(store, projectId);

  const connection = new DatabaseSync(join(dataDir, "knowledge.sqlite"));
  context.after(() => connection.close());
  const runStatement = createStatementRunner(connection);
  const plans = new Map<string, readonly string[]>();
  const db = new Kysely<Schema>({
    dialect: createSqliteDialect(async ({ sql, parameters }) => {
      const plan = connection.prepare(`explain query plan ${sql}`).all();
      plans.set(
        sql,
        plan.map(({ detail }) => String(detail)),
      );
      return runStatement(sql, parameters);
    }),
  });
  const facts = toStored(graphOf(chunkOf(`${TEXT};Eve;Bob~Robert`, 0)).facts ?? assert.fail());
  const chunk = { versionId: 9, position: 0, facts: facts ?? assert.fail() };
  await changeGraph(db, { projectId, added: [chunk], removed: [] });
  const asOf = { date: "2020", by: "today" };
  const entityIds = ["1"];
  const asked = [
    ["findEntitiesByKeys", { projectId, keys: ["ada", "bob"], limit: 9 }],
    ["findEntitiesByKeys", { projectId, keys: ["ada"], limit: 9 }],
    ["readEntities", { projectId, entityIds }],
    ["findRelationships", { projectId, entityIds, limit: 9, asOf }],
    ["readSupport", { projectId, entityId: "1", otherIds: ["2"] }],
    ["readMembers", { projectId, entityIds, limit: 9 }],
    ["walkNeighbours", { projectId, entityIds, where: { types: [], minConfidence: 0 }, asOf, after: null }],
  ] as const;
  for (const [name, input] of asked) await operations[name].run(db, input);
  await changeGraph(db, { projectId, added: [], removed: [chunk] });
  assert.deepEqual(await inTurns(db, [...(await findLeft(db, 0)), projectId], 0), [projectId]);

  const graph = [...plans].filter(([sql]) => /\bentities\b|\bentity_(?!types)|_places\b/.test(sql));
  assert.ok(graph.length > 30, `${graph.length} statements`);
  for (const [sql, plan] of graph) {
    const whole = plan.filter((step) =>
      /^(?:SCAN \w+ USING|SEARCH \w+ USING .*\(project_id=\?\)$)/.test(step),
    );
    // A project has one row in its own table, and few versions that are to be removed.
    const left = whole.filter((step) => !/sqlite_autoindex_projects_1|SEARCH c USING/.test(step));
    assert.deepEqual(left, [], sql);
  }
  const choosing = [...plans].filter(([sql]) => sql.includes("outdated_facts") && sql.includes("union all"));
  assert.equal(choosing.length, 2);
  for (const [sql, plan] of choosing) {
    const looks = plan.filter((step) => /version_changes|outdated_facts|lessons/.test(step));
    assert.equal(looks.length, 3, plan.join("\n"));
    assert.ok(
      looks.every((step) => /^SEARCH .*\(project_id[=>]\?\)/.test(step)),
      `${sql}\n${plan.join("\n")}`,
    );
  }
});
