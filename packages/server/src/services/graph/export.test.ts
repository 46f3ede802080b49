import assert from "node:assert/strict";
import { test } from "node:test";
import type { GraphBrowser } from "../../ports/graph-browser.ts";
import type { Entity, GraphStore, Relationship } from "../../ports/graph-store.ts";
import { createGraphExport } from "./export.ts";

const ENTITIES = 10_000;
const HUB_DEGREE = 3_000;

function nameOf(entityId: string): string {
  return `Name ${entityId.padStart(6, "0")}`;
}

/** `ENTITIES` entities: the first has `HUB_DEGREE` relationships, each of the others has one to the first. */
function createStore() {
  const reads = { entityCalls: 0, mostRows: 0 };
  const countRows = <T>(rows: readonly T[]): readonly T[] => {
    reads.mostRows = Math.max(reads.mostRows, rows.length);
    return rows;
  };
  const store: Pick<GraphBrowser, "listEntitiesAfter" | "listRelationshipsFrom"> &
    Pick<GraphStore, "readEntities"> = {
    async listEntitiesAfter({ after, limit }) {
      const from = after === null ? 1 : Number(after.key) + 1;
      const length = Math.max(0, Math.min(limit, ENTITIES - from + 1));
      const ids = Array.from({ length }, (_, at) => String(from + at));
      return countRows(ids.map((entityId) => ({ entityId, key: entityId.padStart(6, "0"), type: "Person" })));
    },
    async listRelationshipsFrom({ sourceIds, after, limit }) {
      const all = sourceIds.flatMap((sourceId): readonly Relationship[] => {
        const targets = sourceId === "1" ? HUB_DEGREE : 1;
        return Array.from({ length: targets }, (_, at) => ({
          sourceId,
          targetId: String(at + 1),
          type: "knows",
          chunks: 1,
          confidence: null,
          evidence: [],
        }));
      });
      const from =
        after === null
          ? 0
          : 1 + all.findIndex((one) => one.sourceId === after.sourceId && one.targetId === after.targetId);
      return countRows(all.slice(from, from + limit));
    },
    async readEntities({ entityIds }) {
      reads.entityCalls += 1;
      const entities = entityIds.map((entityId): Entity => {
        const empty = { aliases: [], keys: [], properties: [], chunks: 1, mentions: [] };
        return { entityId, type: "Person", name: nameOf(entityId), ...empty };
      });
      return countRows(entities);
    },
  };
  return { store, reads };
}

test("10,000 entities and the relationships of a hub are exported completely, in order, in pages of bounded size", async () => {
  const { store, reads } = createStore();
  const graph = createGraphExport(store, "p");
  const names: string[] = [];
  for await (const page of graph.entities()) names.push(...page.map(({ name }) => name));
  assert.equal(names.length, ENTITIES);
  assert.deepEqual(names, names.toSorted());
  let count = 0;
  const seen = new Set<string>();
  for await (const page of graph.namedRelationships()) {
    for (const { relationship, source, target } of page) {
      count += 1;
      seen.add(`${relationship.sourceId} ${relationship.targetId}`);
      assert.deepEqual(
        [source.name, target.name],
        [nameOf(relationship.sourceId), nameOf(relationship.targetId)],
      );
    }
  }
  assert.equal(count, HUB_DEGREE + ENTITIES - 1);
  assert.equal(seen.size, count);
  assert.ok(reads.mostRows <= 500, `${reads.mostRows} rows in one call`);
});

test("no further page is read when the consumer stops", async () => {
  const { store, reads } = createStore();
  for await (const page of createGraphExport(store, "p").entities()) {
    assert.equal(page.length, 100);
    break;
  }
  assert.equal(reads.entityCalls, 2);
});
