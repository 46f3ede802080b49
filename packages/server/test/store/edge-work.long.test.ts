/**
 * What one operation of a list or an export walks does not grow with the graph, whatever is looked for. Counted on SQLite, whose
 * only reader the others wait for; that the steps find the same on both databases is in `behaviours/graph-browsing.ts`.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { sql } from "kysely";
import { openStore } from "../../src/adapters/database/open-store.ts";
import type { Database } from "../../src/adapters/database/schema.ts";
import type { EdgePlace } from "../../src/ports/graph-browser.ts";
import type { Store } from "../../src/ports/store.ts";
import { searchProposals, searchRelationships } from "../../src/services/graph/edge-lists.ts";
import { listEntitiesAt } from "../../src/services/graph/overview.ts";
import { relationshipsFrom } from "../../src/services/graph/relationships.ts";
import { type CountedCall, countCalls } from "../support/count-rows.ts";

const projectId = "p";
const hub = 1;

/**
 * `size` names, each with two relationships to a hub and every tenth with a proposal; the last one has the only relationship
 * of its type and the only proposal of its type. Two names are related by many chunks, and two proposed by many.
 */
async function fill(db: Database, size: number): Promise<void> {
  const numbers = sql`with recursive numbers(i) as (
    select ${hub + 1} * 1 union all select i + 1 from numbers where i <= ${size})`;
  const run = (statement: ReturnType<typeof sql>) => statement.execute(db);
  const key = sql`'n ' || (10000000 + i)`;
  await run(sql`insert into entities (node_id, project_id, type, name_key, entity_id)
    values (${hub}, ${projectId}, 'Thing', 'zz hub', ${hub})`);
  await run(sql`insert into entities (node_id, project_id, type, name_key, entity_id)
    select * from (${numbers} select i, ${projectId}, 'Thing', ${key}, i from numbers) as made`);
  const places = sql`insert into relationship_places (project_id, source_node, target_node, type, version_id, position)`;
  await run(
    sql`${places} select * from (${numbers} select ${projectId}, i, ${hub} * 1, 'a', 1, i from numbers) as made`,
  );
  await run(
    sql`${places} select * from (${numbers} select ${projectId}, i, ${hub} * 1, 'b', 1, i from numbers) as made`,
  );
  await run(
    sql`${places} select * from (${numbers} select ${projectId}, 2, 3, 'many', 1, i from numbers) as made`,
  );
  await run(
    sql`${places} select * from (${numbers} select ${projectId}, ${hub} * 1, i, 'c', 1, i from numbers) as made`,
  );
  await run(sql`${places} values (${projectId}, ${size}, 2, 'rare', 1, 1)`);
  const proposals = sql`insert into proposal_places
    (project_id, source_node, target_node, type, version_id, position, confidence)`;
  await run(sql`${proposals} select * from (
    ${numbers} select ${projectId}, i, i - 1, 'd', 1, i, 500 from numbers where i % 10 = 3) as made`);
  await run(
    sql`${proposals} select * from (${numbers} select ${projectId}, 2, 4, 'e', 1, i, 500 from numbers) as made`,
  );
  await run(sql`${proposals} values (${projectId}, ${size}, 2, 'unsure', 1, 1, 500)`);
  await run(sql`insert into relationship_types (project_id, type, source_type, target_type, count)
    values (${projectId}, 'rare', 'Thing', 'Thing', 1), (${projectId}, 'many', 'Thing', 'Thing', 1)`);
}

/** An entity with two names that every chunk has. */
const frequent = 900_001;

async function fillEntities(db: Database, size: number): Promise<void> {
  const numbers = sql`with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < ${size})`;
  await sql`insert into entities (node_id, project_id, type, name_key, entity_id)
    values (${frequent}, ${projectId}, 'Thing', 'zzz', ${frequent}),
      (${frequent + 1}, ${projectId}, 'Thing', 'zzzz', ${frequent})`.execute(db);
  for (const node of [frequent, frequent + 1]) {
    await sql`insert into entity_places (project_id, node_id, version_id, position, forms)
      select * from (${numbers} select ${projectId}, ${node} * 1, 1, i, 'Z' from numbers) as made`.execute(
      db,
    );
  }
  await sql`insert into entity_types (project_id, type, count) values (${projectId}, 'Thing', ${size + 2})`.execute(
    db,
  );
}

type Look = (store: Store) => Promise<number>;

const page = { limit: 2, offset: 1 };
const firstPage = { limit: 2, offset: 0 };
const relationships =
  (type: string | null, entityId: string | null): Look =>
  async (store) =>
    (await searchRelationships(store, { projectId, type, entityId, page })).total;
const proposals =
  (type: string | null, entityId: string | null): Look =>
  async (store) =>
    (await searchProposals(store, { projectId, type, entityId, page })).total;

/** Each with its total in a graph of a size. */
const looks: Readonly<Record<string, readonly [Look, (size: number) => number]>> = {
  "all relationships": [relationships(null, null), (size) => Math.min(3 * size + 2, 10_000)],
  "relationships of a rare type": [relationships("rare", null), () => 1],
  "relationships of an unknown type": [relationships("none", null), () => 0],
  "relationships of an entity": [relationships(null, String(hub)), (size) => Math.min(3 * size, 10_000)],
  "chunks of a relationship that many state": [chunksOfMany, (size) => size],
  "sentences of a relationship that many chunks state": [
    async (store) =>
      (await store.rankRelationships({ projectId, edges: [stated(3, "many")], page: firstPage })).total,
    () => 1,
  ],
  "sentences of a proposal that many chunks state": [
    async (store) =>
      (await store.rankProposals({ projectId, edges: [stated(4, "e")], page: firstPage })).total,
    () => 1,
  ],
  "all proposals": [proposals(null, null), (size) => size / 10 + 2],
  "proposals of an unknown type": [proposals("none", null), () => 0],
  "proposals of an entity": [proposals(null, "2"), () => 3],
  "entities of an unknown type": [
    async (store) =>
      (await store.searchEntities({ projectId, part: "", type: "none", page: { limit: 9, offset: 0 } }))
        .total,
    () => 0,
  ],
  "entities of a type": [
    async (store) =>
      (await store.searchEntities({ projectId, part: "", type: "Thing", page: { limit: 9, offset: 0 } }))
        .total,
    (size) => size + 2,
  ],
  "things at a time": [
    async (store) =>
      (
        await listEntitiesAt(store, {
          projectId,
          part: "",
          type: null,
          asOf: { date: "2000", by: "request" },
        })
      ).length,
    (size) => size + 2,
  ],
  "the evidence of a frequent entity": [
    async (store) =>
      (await store.readEntityEvidence({ projectId, entityId: String(frequent), limit: 9 })).length,
    () => 0,
  ],
  "the chunks around a frequent entity": [
    async (store) =>
      (await store.readMentionsAround({ projectId, entityId: String(frequent), limit: 9 })).length,
    () => 0,
  ],
  "the relationships of an export": [exportedRelationships, (size) => size + 5],
  "the proposals of an export": [exportedProposals, () => 2],
};

function stated(target: number, type: string) {
  return { source: 2, target, type, chunks: 1, confidence: 0 };
}

async function chunksOfMany(store: Store): Promise<number> {
  const search = { projectId, type: "many", entityId: "2", page: { limit: 2, offset: 0 } };
  const { relationships: found } = await searchRelationships(store, search);
  return found.reduce((sum, { chunks }) => sum + chunks, 0);
}

async function exportedRelationships(store: Store): Promise<number> {
  const from = { projectId, entityIds: [String(hub), "2", "3"], asOf: null };
  return (await Array.fromAsync(relationshipsFrom(store, from))).flat().length;
}

async function exportedProposals(store: Store): Promise<number> {
  return countAll(async (after) => {
    const step = await store.listProposalsFrom({ projectId, nodeIds: ["2", "3"], after, limit: 500 });
    return [step.proposals, step.next];
  });
}

async function countAll(
  step: (after: EdgePlace | null) => Promise<[readonly unknown[], EdgePlace | null]>,
): Promise<number> {
  let count = 0;
  let after: EdgePlace | null = null;
  do {
    const [found, next]: [readonly unknown[], EdgePlace | null] = await step(after);
    count += found.length;
    after = next;
  } while (after !== null);
  return count;
}

async function measure(context: TestContext, size: number) {
  const dataDir = mkdtempSync(join(tmpdir(), "kcs-edges-"));
  context.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const opened = await openStore({ dataDir, databaseUrl: null });
  context.after(() => opened.store.close());
  await fill(opened.authDatabase().db as Database, size); // Its own connection to the same database.
  await fillEntities(opened.authDatabase().db as Database, size);
  const calls: CountedCall[] = [];
  const store = countCalls(context, dataDir, calls);
  const work: Record<string, { most: number; all: number; calls: number }> = {};
  for (const [name, [look, totalOf]] of Object.entries(looks)) {
    calls.splice(0);
    assert.equal(await look(store), totalOf(size), name);
    const rows = calls.map((call) => call.rows);
    work[name] = { most: Math.max(...rows), all: rows.reduce((a, b) => a + b, 0), calls: rows.length };
  }
  return work;
}

/** Graphs that are smaller than a step are walked in one: 4,096 places, counted, bounded and read, and their other names. */
const ROWS_OF_STEP = 17_000;

test("one operation of a list or an export walks no more rows in a graph of four times the size", async (context) => {
  const small = await measure(context, 2_000);
  const large = await measure(context, 8_000);
  context.diagnostic(JSON.stringify({ small, large }));
  for (const [look, { most }] of Object.entries(large)) {
    const before = Math.max(small[look]?.most ?? 0, ROWS_OF_STEP);
    assert.ok(most <= before, `${look}: ${before}, then ${most} rows in one operation`);
  }
  assert.equal(large["relationships of an unknown type"]?.calls, 1);
  for (const look of Object.keys(large).filter((name) => /^entities|frequent|^sentences/.test(name))) {
    assert.equal(large[look]?.most, small[look]?.most, look);
  }
  // Else the count would not see what is walked.
  const ofHub = large["relationships of an entity"]?.all ?? 0;
  assert.ok(ofHub >= 3 * 8_000, `${ofHub} rows of a hub`);
});
