/**
 * Statements with times between two entities of many names: no operation holds the database for long, however many statements
 * there are, and four times as many names or documents make four times the work.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { sql } from "kysely";
import { openStore } from "../../src/adapters/database/open-store.ts";
import type { Database } from "../../src/adapters/database/schema.ts";
import type { Moment } from "../../src/domain/validity.ts";
import type { Store } from "../../src/ports/store.ts";
import { searchNeighbours, searchRelationships } from "../../src/services/graph/edge-lists.ts";
import { createGraphExport } from "../../src/services/graph/export.ts";
import { matchPattern } from "../../src/services/graph/match.ts";
import { readOverview } from "../../src/services/graph/overview.ts";
import { type CountedCall, countCalls } from "../support/count-rows.ts";

const projectId = "p";
const [firm, town] = [1, 1_001];
const type = "based_in";
const asOf: Moment = { date: "2020-05-05", by: "request" };

/**
 * A firm of some names, which each document says is based in a town of as many names, under each name of both; and one more
 * relationship between the two.
 */
async function fill(db: Database, { names, documents }: Size): Promise<void> {
  const numbers = (name: string, count: number) =>
    sql`${sql.ref(name)}(i) as (select 0 union all select i + 1 from ${sql.ref(name)} where i + 1 < ${sql.lit(count)})`;
  for (const [first, thing] of [
    [firm, "Firm"],
    [town, "Town"],
  ] as const)
    await sql`insert into entities (node_id, project_id, type, name_key, entity_id)
      with recursive ${numbers("n", names)}
      select ${sql.lit(first)} + i, ${projectId}, ${thing}, ${thing} || (1000 + i), ${sql.lit(first)} from n`.execute(
      db,
    );
  await sql`insert into relationship_places (project_id, source_node, target_node, type, version_id, position, known_until, turn_at)
    with recursive ${numbers("n", names)}, ${numbers("d", documents)}
    select ${projectId}, ${sql.lit(firm)} + s.i, ${sql.lit(town)} + t.i, ${type}, d.i + 1, s.i,
      (2000 + d.i % 20) || '-03-01~', (2000 + d.i % 20) || '-03-01'
    from n as s cross join n as t cross join d where d.i < ${sql.lit(documents)}`.execute(db);
  await sql`insert into relationship_places (project_id, source_node, target_node, type, version_id, position)
    values (${projectId}, ${firm}, ${town}, 'a_little', 1, 1)`.execute(db);
  await sql`insert into relationship_types (project_id, type, source_type, target_type, count)
    values (${projectId}, ${type}, 'Firm', 'Town', 1)`.execute(db);
  for (const thing of ["Firm", "Town"])
    await sql`insert into entity_types (project_id, type, count) values (${projectId}, ${thing}, 1)`.execute(
      db,
    );
}

interface Size {
  readonly names: number;
  readonly documents: number;
}

const anything = { types: [], name: null, properties: [], entityId: null };
const page = { limit: 10, offset: 0 };

/** The chunks of all relationships that are found. */
type Look = (store: Store) => Promise<number>;

function chunksOf(relationships: readonly { readonly chunks: number }[]): number {
  return relationships.reduce((sum, { chunks }) => sum + chunks, 0);
}

const looks: Readonly<Record<string, Look>> = {
  list: async (store) => {
    const search = { projectId, type: null, entityId: null, asOf, page };
    return chunksOf((await searchRelationships(store, search)).relationships);
  },
  entity: async (store) => {
    const place = { projectId, entityId: String(firm), asOf, limit: 20 };
    return chunksOf((await searchNeighbours(store, place)).relationships);
  },
  overview: async (store) =>
    chunksOf((await readOverview(store, projectId, { limit: 50, sourceDocId: null, asOf })).relationships),
  match: async (store) => {
    const edges = [{ types: [], minConfidence: 0, direction: "out" as const }];
    const pattern = { nodes: [anything, anything], edges, asOf, limit: 100 };
    return chunksOf(
      (await matchPattern(store, projectId, pattern)).relationships.map(({ relationship }) => relationship),
    );
  },
  export: async (store) => {
    const { relationships } = createGraphExport(store, projectId, { check: async () => null, asOf });
    return chunksOf((await Array.fromAsync(relationships())).flat());
  },
};

/** Looks at a part of what there is. */
const question: Look = async (store) => {
  const entityIds = [String(firm), String(town)];
  return (await store.findRelationships({ projectId, entityIds, asOf, limit: 50 })).length;
};

async function measure(context: TestContext, size: Size) {
  const dataDir = mkdtempSync(join(tmpdir(), "kcs-names-"));
  context.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const opened = await openStore({ dataDir, databaseUrl: null });
  context.after(() => opened.store.close());
  await fill(opened.authDatabase().db as Database, size); // Its own connection to the same database.
  const calls: CountedCall[] = [];
  const store = countCalls(context, dataDir, calls);
  const work = new Map<string, { most: number; all: number }>();
  for (const [name, look] of Object.entries({ ...looks, question })) {
    calls.splice(0);
    const expected = name === "question" ? 2 : size.names ** 2 * size.documents + 1;
    assert.equal(await look(store), expected, name);
    const rows = calls.map((call) => call.rows);
    work.set(name, { most: Math.max(...rows), all: rows.reduce((a, b) => a + b, 0) });
  }
  return work;
}

/** A step reads thousands of places, and looks up thousands of pairs of names. */
const ROWS_OF_STEP = 20_000;

test("what holds between many names is found in steps, with more names and with more documents", async (context) => {
  const sizes = [
    { names: 8, documents: 6 },
    { names: 16, documents: 6 },
    { names: 16, documents: 24 },
  ];
  let before: ReadonlyMap<string, { all: number }> | null = null;
  for (const size of sizes) {
    const work = await measure(context, size);
    context.diagnostic(JSON.stringify({ ...size, work: [...work] }));
    for (const [look, { most, all }] of work) {
      assert.ok(most < ROWS_OF_STEP, `${look}: ${most} rows in one operation`);
      const least = before?.get(look)?.all ?? all;
      assert.ok(all / least < 6, `${look}: ${least}, then ${all} rows`);
    }
    before = work;
  }
});

test("a step ends where its statements need too many look-ups, and the next one goes on there", async (context) => {
  const towns = 300; // Each with 66 pairs of names to look up.
  const dataDir = mkdtempSync(join(tmpdir(), "kcs-names-"));
  context.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const opened = await openStore({ dataDir, databaseUrl: null });
  context.after(() => opened.store.close());
  const db = opened.authDatabase().db as Database; // Its own connection to the same database.
  await fill(db, { names: 64, documents: 0 });
  const numbers = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${sql.lit(towns)})`;
  for (const first of [2_000, 3_000])
    await sql`insert into entities (node_id, project_id, type, name_key, entity_id)
      ${numbers} select ${sql.lit(first)} + i, ${projectId}, 'Town', 'x' || (${sql.lit(first)} + i), 2000 + i from n`.execute(
      db,
    );
  await sql`insert into relationship_places (project_id, source_node, target_node, type, version_id, position, known_until, turn_at)
    ${numbers} select ${projectId}, ${sql.lit(firm)}, 2000 + i, ${type}, 1, i, '2001~', '2001' from n`.execute(
    db,
  );
  const calls: CountedCall[] = [];
  const store = countCalls(context, dataDir, calls);
  // All of them, or as many as a page has, with one more relationship between the same two entities.
  const found = { list: 10, entity: 20, overview: 49, match: 100, export: towns + 1 };
  for (const [name, look] of Object.entries(looks)) {
    calls.splice(0);
    assert.equal(await look(store), found[name as keyof typeof found], name); // The same names.
    // In both directions, as of the time and at any time: one step each, but three more for the look-ups.
    const walks = calls.filter(({ name: called }) => called === "walkEdges").length;
    if (name === "entity") assert.equal(walks, 4 + 3);
    for (const { rows } of calls) assert.ok(rows < ROWS_OF_STEP, `${name}: ${rows} rows in one operation`);
  }
});
