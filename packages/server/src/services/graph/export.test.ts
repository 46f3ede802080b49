import assert from "node:assert/strict";
import { test } from "node:test";
import type { MentionedChunk, Proposal } from "../../ports/graph-browser.ts";
import type { RelationshipKey } from "../../ports/graph-matcher.ts";
import type { Entity, Relationship } from "../../ports/graph-store.ts";
import { createGraphExport, createPairs, type ExportStore } from "./export.ts";

const ENTITIES = 10_000;
const HUB_DEGREE = 3_000;

const isThere = async () => undefined;

function nameOf(entityId: string): string {
  return `Name ${entityId.padStart(6, "0")}`;
}

/** A chunk that mentions an entity and the next one. */
function chunkOf(at: number): MentionedChunk {
  const mentions = [at, at + 1].map((id, place) => ({
    entityId: String(id),
    key: String(id),
    start: 9 * place,
    end: 9 * place + 8,
  }));
  return { versionId: at, position: 0, mentions };
}

function placeOf(source: string, target: string) {
  return { node: Number(source), other: Number(target), type: "knows", versionId: 1, position: 0 };
}

/** `ENTITIES` entities, each of which is associated with the next: the first has `HUB_DEGREE` relationships, each of the others has one to the first. */
function createStore() {
  const reads = { entityCalls: 0, mostRows: 0, mentionCalls: 0 };
  const countRows = <T>(rows: readonly T[]): readonly T[] => {
    reads.mostRows = Math.max(reads.mostRows, rows.length);
    return rows;
  };
  const store: ExportStore = {
    async listEntitiesAfter({ after, limit }) {
      const from = after === null ? 1 : Number(after.key) + 1;
      const length = Math.max(0, Math.min(limit, ENTITIES - from + 1));
      const ids = Array.from({ length }, (_, at) => String(from + at));
      return countRows(ids.map((entityId) => ({ entityId, key: entityId.padStart(6, "0"), type: "Person" })));
    },
    async walkNeighbours({ entityIds, after }) {
      const all = entityIds.flatMap((sourceId) => {
        const targets = sourceId === "1" ? HUB_DEGREE : 1;
        return Array.from({ length: targets }, (_, at) => ({
          ...{ sourceId, targetId: String(at + 1), type: "knows" },
        }));
      });
      const isLast = (one: RelationshipKey) =>
        Number(one.sourceId) === after?.node && Number(one.targetId) === after.other;
      const from = after === null ? 0 : 1 + all.findIndex(isLast);
      const relationships = all.slice(from, from + 700); // A step walks thousands of places.
      const last = relationships.at(-1);
      const isEnd = last === undefined || from + 700 >= all.length;
      return { relationships, next: isEnd ? null : placeOf(last.sourceId, last.targetId) };
    },
    async walkBetween({ keys }) {
      const edges = keys.map(({ sourceId, targetId, type }) => ({
        ...{ source: Number(sourceId), target: Number(targetId), type, chunks: 1, confidence: 0 },
      }));
      return { edges: countRows(edges), taken: keys.length, next: null };
    },
    async rankRelationships({ edges, page }) {
      const relationships = edges.slice(0, page.limit).map(
        ({ source, target, type, chunks }): Relationship => ({
          ...{
            sourceId: String(source),
            targetId: String(target),
            type,
            chunks,
            confidence: null,
            evidence: [],
          },
        }),
      );
      return { relationships: countRows(relationships), total: edges.length };
    },
    async listProposalSources({ after, limit }) {
      const from = after === null ? 1 : Number(after.key) + 1;
      const length = Math.max(0, Math.min(limit, ENTITIES - from + 1));
      const ids = Array.from({ length }, (_, at) => String(from + at));
      return countRows(ids.map((nodeId) => ({ nodeId, key: nodeId.padStart(6, "0"), type: "Person" })));
    },
    async listProposalsFrom({ nodeIds, after, limit }) {
      const endOf = (nodeId: string) => {
        return { entityId: nodeId, nodeId, type: "Person", name: "as written", key: "as written" };
      };
      const all = nodeIds.flatMap((nodeId): readonly Proposal[] =>
        Array.from({ length: nodeId === "1" ? HUB_DEGREE : 1 }, (_, at) => ({
          ...{ type: "knows", chunks: 1, confidence: 0.5, evidence: [] },
          source: endOf(nodeId),
          target: endOf(String(at + 1)),
        })),
      );
      const isLast = ({ source, target }: Proposal) =>
        Number(source.nodeId) === after?.node && Number(target.nodeId) === after.other;
      const from = after === null ? 0 : 1 + all.findIndex(isLast);
      const proposals = countRows(all.slice(from, from + limit));
      const last = proposals.at(-1);
      const isEnd = last === undefined || from + limit >= all.length;
      return { proposals, next: isEnd ? null : placeOf(last.source.nodeId, last.target.nodeId) };
    },
    async readEntities({ entityIds }) {
      reads.entityCalls += 1;
      const entities = entityIds.map((entityId): Entity => {
        const empty = { aliases: [], keys: [], properties: [], chunks: 1, mentions: [] };
        return { entityId, type: "Person", name: nameOf(entityId), ...empty };
      });
      return countRows(entities);
    },
    readChunks: async ({ keys }) => keys.map(() => null),
    readHeads: async () => [],
    countChunks: async () => ENTITIES,
    async readMentionsAround({ entityId }) {
      reads.mentionCalls += 1;
      const at = Number(entityId);
      return [at - 1, at].filter((one) => one >= 1 && one < ENTITIES).map(chunkOf);
    },
    readSupport: async ({ otherIds }) =>
      otherIds.map((entityId) => ({ entityId, chunks: 2, isRelated: false })),
    readPassages: async ({ keys }) => keys.map(() => null),
  };
  return { store, reads };
}

test("10,000 entities and the relationships of a hub are exported completely, in order, in pages of bounded size", async () => {
  const { store, reads } = createStore();
  const graph = createGraphExport(store, "p", { check: isThere });
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

test("proposals are exported completely in pages of bounded size, with the names of the entities", async () => {
  const { store, reads } = createStore();
  const seen = new Set<string>();
  let count = 0;
  for await (const page of createGraphExport(store, "p", { check: isThere }).proposals()) {
    for (const { source, target } of page) {
      count += 1;
      seen.add(`${source.nodeId} ${target.nodeId}`);
      assert.deepEqual([source.name, target.name], [nameOf(source.nodeId), nameOf(target.nodeId)]);
    }
  }
  assert.equal(count, HUB_DEGREE + ENTITIES - 1);
  assert.equal(seen.size, count);
  assert.ok(reads.mostRows <= 500, `${reads.mostRows} rows in one call`);
});

test("no further page is read when the consumer stops", async () => {
  const { store, reads } = createStore();
  for await (const page of createGraphExport(store, "p", { check: isThere }).entities()) {
    assert.equal(page.length, 100);
    break;
  }
  assert.equal(reads.entityCalls, Math.ceil(100 / 16));
});

test("each pair of associated entities is exported once, and those of an entity are found once or twice", async () => {
  const { store, reads } = createStore();
  const pairs = new Set<string>();
  let count = 0;
  for await (const page of createGraphExport(store, "p", { check: isThere }).associations()) {
    for (const { entity, other, chunks } of page) {
      assert.equal(chunks, 1);
      assert.equal(Math.abs(Number(entity.entityId) - Number(other.entityId)), 1);
      pairs.add([entity.entityId, other.entityId].sort().join(" "));
      count += 1;
    }
  }
  assert.equal(count, ENTITIES - 1);
  assert.equal(pairs.size, count);
  assert.ok(reads.mentionCalls <= 2 * ENTITIES, `${reads.mentionCalls} calls`);
});

test("an export fails when its project is deleted meanwhile, also after its last page", async () => {
  const kinds = [
    ...(["entities", "relationships", "statedEntities", "statedRelationships"] as const),
    ...(["namedRelationships", "proposals"] as const),
  ];
  const pages = async (kind: (typeof kinds)[number], deletedAfter: number) => {
    const { store } = createStore();
    let checks = 0;
    const check = async () => {
      if (++checks > deletedAfter) throw new Error("deleted");
    };
    const graph = createGraphExport(store, "p", { check });
    for await (const page of graph[kind]()) assert.ok(("items" in page ? page.items : page).length > 0);
    return checks;
  };
  for (const kind of kinds) {
    const checks = await pages(kind, Number.POSITIVE_INFINITY);
    assert.ok(checks >= ENTITIES / 100);
    for (const after of [0, 1, checks - 1]) await assert.rejects(pages(kind, after), /deleted/);
  }
});

test("an export finds the associations of each entity once, and gives each pair once", async () => {
  const ids = Array.from({ length: 40 }, (_, at) => String(100 + at));
  let finds = 0;
  const pairs = createPairs(async (id) => {
    finds++;
    // Each entity with the two before and the two after it; every third does not list those after it.
    const near = [-2, -1, ...(Number(id) % 3 === 0 ? [] : [1, 2])].map((step) => String(Number(id) + step));
    const others = near.filter((other) => ids.includes(other));
    return others.map((entityId) => ({ entityId, strength: 0.5, chunks: 2, places: [] }));
  });
  const seen: string[] = [];
  for (const id of ids.toReversed())
    for (const { entityId } of await pairs.of(id)) seen.push([id, entityId].toSorted().join("–"));
  assert.equal(finds, ids.length);
  assert.equal(new Set(seen).size, seen.length);
  assert.equal(seen.length, 39 + 38);
});
