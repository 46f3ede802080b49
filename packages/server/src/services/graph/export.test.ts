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

/** So many entities; the first has thousands of relationships, each of the others one to the first. */
function createStore() {
  const reads = { entities: 0, most: 0 };
  const note = <T>(rows: readonly T[]): readonly T[] => {
    reads.most = Math.max(reads.most, rows.length);
    return rows;
  };
  const store: Pick<GraphBrowser, "listEntitiesAfter" | "listRelationshipsFrom"> &
    Pick<GraphStore, "readEntities"> = {
    async listEntitiesAfter({ after, limit }) {
      const from = after === null ? 1 : Number(after.key) + 1;
      const length = Math.max(0, Math.min(limit, ENTITIES - from + 1));
      const ids = Array.from({ length }, (_, at) => String(from + at));
      return note(ids.map((entityId) => ({ entityId, key: entityId.padStart(6, "0"), type: "Person" })));
    },
    async listRelationshipsFrom({ sourceIds, after, limit }) {
      const all = sourceIds.flatMap((sourceId): readonly Relationship[] => {
        const targets = sourceId === "1" ? HUB_DEGREE : 1;
        return Array.from({ length: targets }, (_, at) => ({
          ...{ sourceId, targetId: String(at + 1), type: "knows" },
          ...{ chunks: 1, confidence: null, evidence: [] },
        }));
      });
      const from =
        after === null
          ? 0
          : 1 + all.findIndex((one) => one.sourceId === after.sourceId && one.targetId === after.targetId);
      return note(all.slice(from, from + limit));
    },
    async readEntities({ entityIds }) {
      reads.entities += 1;
      const read = entityIds.map((entityId): Entity => {
        const plain = { aliases: [], keys: [], properties: [], chunks: 1, mentions: [] };
        return { entityId, type: "Person", name: nameOf(entityId), ...plain };
      });
      return note(read);
    },
  };
  return { store, reads };
}

test("ten thousand entities and the relationships of a hub come whole, in order, in pages of a bounded size", async () => {
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
  assert.ok(reads.most <= 500, `${reads.most} rows at once`);
});

test("who takes no further page has none read", async () => {
  const { store, reads } = createStore();
  for await (const page of createGraphExport(store, "p").entities()) {
    assert.equal(page.length, 100);
    break;
  }
  assert.equal(reads.entities, 2);
});
