/** Finding out what holds looks up other statements of a relationship; it does not walk all of them for each. Counted on SQLite. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { sql } from "kysely";
import { openStore } from "../../src/adapters/database/open-store.ts";
import { holds } from "../../src/adapters/database/operations/edge-times.ts";
import type { Database } from "../../src/adapters/database/schema.ts";
import type { Moment } from "../../src/domain/validity.ts";
import { searchRelationships } from "../../src/services/graph/edge-lists.ts";
import { type CountedCall, countCalls } from "../support/count-rows.ts";

const projectId = "p";
const types = ["open", "ended", "begun", "turns"];

/** Of the same two entities `size` statements, each of its own day; of `turns` every other one of another target. */
async function fill(db: Database, size: number): Promise<void> {
  for (const node of [1, 2, 3])
    await sql`insert into entities (node_id, project_id, type, name_key, entity_id)
      values (${node}, ${projectId}, 'Thing', ${`n${node}`}, ${node})`.execute(db);
  const day = sql`date('1800-01-01', '+' || i || ' days')`;
  const places = sql`insert into relationship_places
    (source_node, target_node, type, version_id, position, valid_from, valid_to, known_at, timing)
    select * from (with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${size})`;
  await sql`${places} select 1, 2, 'open', 1, i, null, null, ${day}, 0 from numbers)`.execute(db);
  await sql`${places} select 1, 2, 'ended', 1, i, null, case when i % 2 = 0 then date('1700-01-01', '+' || i || ' days') end,
    ${day}, 0 from numbers)`.execute(db);
  await sql`${places} select 1, 2, 'begun', 1, i, case when i % 2 = 0 then date('2500-01-01', '+' || i || ' days') end, null,
    ${day}, 0 from numbers)`.execute(db);
  await sql`${places} select 1, 2 + i % 2, 'turns', 1, i, null, null, ${day}, 1 from numbers)`.execute(db);
  for (const type of types)
    await sql`insert into relationship_types (project_id, type, source_type, target_type, count)
      values (${projectId}, ${type}, 'Thing', 'Thing', 1)`.execute(db);
}

async function measure(context: TestContext, size: number): Promise<ReadonlyMap<string, number>> {
  const dataDir = mkdtempSync(join(tmpdir(), "kcs-times-"));
  context.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const opened = await openStore({ dataDir, databaseUrl: null });
  context.after(() => opened.store.close());
  await fill(opened.authDatabase().db as Database, size); // Its own connection to the same database.
  const calls: CountedCall[] = [];
  const store = countCalls(context, dataDir, calls);
  const work = new Map<string, number>();
  for (const type of types) {
    for (const by of ["request", "today"] as const) {
      calls.splice(0);
      const asOf: Moment = { date: "2400", by };
      const page = { limit: 2, offset: 0 };
      const { total } = await searchRelationships(store, { projectId, type, entityId: "1", asOf, page });
      assert.equal(total, 1, type);
      work.set(
        `${type} ${by}`,
        calls.reduce((sum, { rows }) => sum + rows, 0),
      );
    }
  }
  return work;
}

test("what holds is found in time by the number of statements", async (context) => {
  const small = await measure(context, 250);
  const large = await measure(context, 1_000);
  for (const [look, rows] of large) {
    const before = small.get(look) ?? 0;
    assert.ok(rows / before < 6, `${look}: ${before}, then ${rows} rows`);
    assert.ok(rows > 1_000, `${look}: ${rows} rows, fewer than there are statements`);
  }
});

test("other statements are looked up by a place or a range in an index", async (context) => {
  const dataDir = mkdtempSync(join(tmpdir(), "kcs-times-"));
  context.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const opened = await openStore({ dataDir, databaseUrl: null });
  context.after(() => opened.store.close());
  const { db } = opened.authDatabase();
  const { rows } = await sql<{ detail: string }>`explain query plan select type from relationship_places as p
    where p.source_node = 1 and ${holds("p", { date: "2000", by: "request" })}`.execute(db);
  const others = new Set(rows.map(({ detail }) => detail).filter((detail) => /^\w+ [el] /.test(detail)));
  const edge = "source_node=? AND target_node=? AND type=?";
  assert.deepEqual([...others].sort(), [
    `SEARCH e USING COVERING INDEX relationship_ends (${edge} AND valid_to>? AND valid_to<?)`,
    `SEARCH e USING COVERING INDEX relationship_starts (${edge} AND valid_from>? AND valid_from<?)`,
    "SEARCH e USING COVERING INDEX relationship_turns (source_node=? AND type=? AND known_at=? AND target_node=?)",
    "SEARCH l USING COVERING INDEX relationship_turns (source_node=? AND type=? AND known_at<?)",
    "SEARCH l USING COVERING INDEX relationship_turns (source_node=? AND type=? AND known_at>?)",
  ]);
});
