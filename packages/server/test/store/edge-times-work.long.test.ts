/** Finding out what holds looks up other statements of a relationship; it does not walk all of them for each. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { sql } from "kysely";
import { openStore } from "../../src/adapters/database/open-store.ts";
import { toldOfPairs, toldOfSources } from "../../src/adapters/database/operations/edge-times.ts";
import type { Database } from "../../src/adapters/database/schema.ts";
import type { Moment } from "../../src/domain/validity.ts";
import { searchRelationships } from "../../src/services/graph/edge-lists.ts";
import { type CountedCall, countCalls } from "../support/count-rows.ts";
import { usePostgres } from "../support/postgres.ts";

const postgres = usePostgres();
const projectId = "p";
const types = ["open", "ended", "begun", "turns", "told", "year"];

async function openDatabase(context: TestContext, databaseUrl: string | null = null) {
  const dataDir = mkdtempSync(join(tmpdir(), "kcs-times-"));
  context.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const opened = await openStore({ dataDir, databaseUrl });
  context.after(() => opened.store.close());
  return { dataDir, db: opened.authDatabase().db as Database }; // Its own connection to the same database.
}

async function addEntity(db: Database, node: number, entity = node): Promise<void> {
  await sql`insert into entities (node_id, project_id, type, name_key, entity_id)
    values (${node}, ${projectId}, 'Thing', ${`n${node}`}, ${entity})`.execute(db);
}

/** `size` statements with `i` from 1; the values are of `target_node` and all columns behind `position`. */
async function addStatements(db: Database, type: string, size: number, values: string): Promise<void> {
  await sql`insert into relationship_places
    (project_id, source_node, type, version_id, position, target_node, valid_from, valid_to, known_until, turn_at)
    with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${sql.lit(size)})
    select ${projectId}, 1, ${type}, 1, i, ${sql.raw(values)} from numbers`.execute(db);
}

/** The year `first + i`: the numbers of the statements are its order. */
const yearOf = (first: number) => `cast(${first} + i as text)`;

/** Between entities 1 to 3: statements of one relationship, of a time each or all of one, and of changing targets. */
async function fill(db: Database, size: number): Promise<void> {
  for (const node of [1, 2, 3]) await addEntity(db, node);
  const statements = {
    open: `2, null, null, ${yearOf(2000)} || '~', null`,
    ended: `2, null, case when i % 2 = 0 then ${yearOf(1000)} end, ${yearOf(4000)} || '~', null`,
    begun: `2, case when i % 2 = 0 then ${yearOf(6000)} end, null, ${yearOf(2000)} || '~', null`,
    turns: `2 + i % 2, null, null, ${yearOf(1000)} || '~', ${yearOf(1000)}`,
    // What one tells, all later ones of it have told; the first of all has another target.
    told: `case when i = ${size} then 3 else 2 end, null, null, '${"2000~"}', '2000'`,
    year: `2 + i % 2, null, null, '2400~', '2400'`,
  };
  for (const [type, values] of Object.entries(statements)) {
    await addStatements(db, type, size, values);
    await sql`insert into relationship_types (project_id, type, source_type, target_type, count)
      values (${projectId}, ${type}, 'Thing', 'Thing', 1)`.execute(db);
  }
}

async function measure(context: TestContext, size: number): Promise<ReadonlyMap<string, number>> {
  const { dataDir, db } = await openDatabase(context);
  await fill(db, size);
  const calls: CountedCall[] = [];
  const store = countCalls(context, dataDir, calls);
  const work = new Map<string, number>();
  for (const type of types) {
    for (const by of ["request", "today"] as const) {
      calls.splice(0);
      const asOf: Moment = { date: "2400-05-06", by };
      const page = { limit: 2, offset: 0 };
      await searchRelationships(store, { projectId, type, entityId: "1", asOf, page });
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

test("statements between entities of many names look up a part of the pairs of names", async (context) => {
  const { dataDir, db } = await openDatabase(context);
  const [sources, targets] = [1, 100].map((first) => Array.from({ length: 64 }, (_, at) => first + at));
  for (const names of [sources, targets])
    for (const node of names ?? []) await addEntity(db, node, names?.[0]);
  await addStatements(db, "p", 100, `100, null, null, ${yearOf(2000)} || '~', ${yearOf(2000)}`);
  await sql`insert into relationship_types (project_id, type, source_type, target_type, count)
    values (${projectId}, 'p', 'Thing', 'Thing', 1)`.execute(db);
  const calls: CountedCall[] = [];
  const store = countCalls(context, dataDir, calls);
  const search = { projectId, type: "p", entityId: "1", page: { limit: 2, offset: 0 } };
  const { total } = await searchRelationships(store, { ...search, asOf: { date: "2400", by: "today" } });
  assert.equal(total, 1);
  const rows = calls.reduce((sum, each) => sum + each.rows, 0);
  assert.ok(rows < 100 * 64 * 32, `${rows} rows; the pairs of names are ${100 * 64 * 64}`);
});

test("of entities with many pairs of names an end counts that is told of one of the two names", async (context) => {
  const { dataDir, db } = await openDatabase(context);
  for (let at = 0; at < 9; at++) {
    await addEntity(db, 1 + at, 1);
    await addEntity(db, 101 + at, 101);
  }
  const state = (type: string, [source, target]: readonly [number, number], end: string | null) =>
    sql`insert into relationship_places (project_id, source_node, target_node, type, version_id, position, valid_to, known_until)
      values (${projectId}, ${source}, ${target}, ${type}, ${end === null ? 1 : 2}, 0, ${end}, ${`${end ?? "2000"}~`})`.execute(
      db,
    );
  const ends = { source: [1, 105], target: [5, 101], both: [5, 105] } as const;
  for (const [type, pair] of Object.entries(ends)) {
    await state(type, [1, 101], null);
    await state(type, pair, "2005");
  }
  const store = countCalls(context, dataDir, []);
  const asOf: Moment = { date: "2010", by: "today" };
  const page = { limit: 9, offset: 0 };
  const found = await searchRelationships(store, { projectId, type: null, entityId: "1", asOf, page });
  assert.deepEqual(
    found.relationships.map(({ type }) => type),
    ["both"],
  );
});

test("what surrounds an entity is looked for among a bounded number of its relationships that have ended", async (context) => {
  const work: number[] = [];
  for (const size of [2_000, 8_000]) {
    const { dataDir, db } = await openDatabase(context);
    await addEntity(db, 1);
    await addStatements(db, "p", size, "i + 1, null, '1990', '1990~', null");
    const calls: CountedCall[] = [];
    const store = countCalls(context, dataDir, calls);
    const asOf: Moment = { date: "2400", by: "today" };
    const found = await store.findRelationships({ projectId, entityIds: ["1"], asOf, limit: 20 });
    assert.deepEqual(found, []);
    work.push(calls.reduce((sum, { rows }) => sum + rows, 0));
  }
  assert.equal(work[1], work[0]);
});

const moments: readonly Moment[] = [
  { date: "2000-05-06", by: "request" },
  { date: "2000", by: "today" },
];

const pair = sql`with keys (source_node, target_node, type) as (
  values (cast(1 as bigint), cast(2 as bigint), cast('turns' as text)))`;
const source = sql`with keys (node_id, type) as (values (cast(1 as bigint), cast('turns' as text)))`;
const looks = moments.flatMap((moment) => [
  sql`${pair} ${toldOfPairs(projectId, moment)}`,
  sql`${source} ${toldOfSources(projectId, moment)}`,
]);

test("other statements are looked up by a place or a range in an index", async (context) => {
  const { db } = await openDatabase(context);
  for (const look of looks) {
    const { rows } = await sql<{ detail: string }>`explain query plan ${look}`.execute(db);
    const others = new Set(rows.map(({ detail }) => detail).filter((detail) => /^\w+ e /.test(detail)));
    assert.ok(others.size >= 2, [...others].join("\n"));
    for (const detail of others)
      assert.match(
        detail,
        /^SEARCH e USING (?:COVERING )?INDEX relationship_\w+ \(project_id=\? AND source_node=\? AND (?:target_node=\? AND )?type=\?/,
      );
  }
});

test("PostgreSQL looks other statements up by their source, also before it knows the table", async (context) => {
  const { db } = await openDatabase(context, await postgres.create());
  for (const node of [1, 2, 3]) await addEntity(db, node);
  await addStatements(db, "turns", 10_000, `2 + i % 2, null, null, ${yearOf(1000)} || '~', ${yearOf(1000)}`);
  for (const look of looks) {
    const { rows } = await sql<{ "QUERY PLAN": string }>`explain ${look}`.execute(db);
    const plan = rows.map((row) => row["QUERY PLAN"]);
    const found = plan.flatMap((line, at) =>
      / on relationship_places e(?:_\d+)? /.test(line) ? [plan.slice(at, at + 2).join("\n")] : [],
    );
    assert.ok(found.length >= 2, plan.join("\n"));
    for (const place of found) assert.match(place, /Index Cond: \(\(source_node = /, plan.join("\n"));
  }
});
