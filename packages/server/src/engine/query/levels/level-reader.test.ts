import assert from "node:assert/strict";
import { test } from "node:test";
import { createLevelReader, type LevelStore } from "./level-reader.ts";

/** A crew aggregates sailors. */
const SCHEMA = JSON.stringify({
  ontology: {
    hierarchy: [
      { level: 0, node_types: { Sailor: {} } },
      { level: 1, node_types: { Crew: { aggregates: ["Sailor"] } } },
    ],
    edge_types: [{ name: "SAILS_WITH", source_types: ["Sailor"], target_types: ["Crew"] }],
  },
});

function createWorld(schemaJson = SCHEMA, given: Partial<LevelStore> = {}) {
  let lists = 0;
  let fault: Error | null = null;
  const store: LevelStore = {
    readOntologyOf: () =>
      Promise.resolve({ schemaJson } as Awaited<ReturnType<LevelStore["readOntologyOf"]>>), // The reader uses no other field.
    readGraphTypes: async () => ({ entities: [{ type: "Crew", count: 1 }], relationships: [] }),
    async listEntities() {
      lists++;
      await new Promise((resolve) => setImmediate(resolve));
      if (fault !== null) throw fault;
      return { entities: [], total: 0 };
    },
    readMembers: () => Promise.resolve([]),
    listRelationships: () => Promise.resolve([]),
    ...given,
  };
  return {
    reader: createLevelReader(store),
    lists: () => lists,
    failWith(error: Error | null) {
      fault = error;
    },
  };
}

test("concurrent questions read the levels of a project once", async () => {
  const { reader, lists } = createWorld();
  await reader.readNodes("prj_a", 1);
  const once = lists();
  assert.ok(once > 0);
  await Promise.all(Array.from({ length: 20 }, () => reader.readNodes("prj_a", 2)));
  assert.equal(lists(), 2 * once);
  await reader.readNodes("prj_a", 2);
  assert.equal(lists(), 2 * once);
  await Promise.all([reader.readNodes("prj_b", 2), reader.readNodes("prj_a", 3)]);
  assert.equal(lists(), 4 * once);
});

test("the members of a named node are counted with the chunks that support them", async () => {
  const entity = { entityId: "crew", type: "Crew", key: "red crew" };
  const { reader } = createWorld(SCHEMA, {
    listEntities: async () => ({ entities: [entity], total: 1 }),
    readMembers: async () =>
      ["ada", "bo"].map((memberId) => ({ parentId: entity.entityId, memberId, chunks: 3 })),
  });
  const [node] = await reader.readNodes("prj_a", 1);
  assert.deepEqual([node?.members, node?.chunks], [[{ entityId: "ada" }, { entityId: "bo" }], 6]);
});

test("a failed read fails all questions that share it, and the next question reads again", async () => {
  const { reader, failWith } = createWorld();
  failWith(new Error("no database"));
  const reads = [reader.readNodes("prj_a", 1), reader.readNodes("prj_a", 1)];
  for (const read of reads) await assert.rejects(read, /no database/);
  failWith(null);
  assert.deepEqual(await reader.readNodes("prj_a", 1), []);
});

test("only types that the graph has entities of are read, however many the ontology has", async () => {
  const upper = Array.from({ length: 100 }, (_, at) => [`Group${at}`, { aggregates: ["Sailor"] }]);
  const hierarchy = [
    { level: 0, node_types: { Sailor: {} } },
    { level: 1, node_types: Object.fromEntries(upper) },
  ];
  const edge_types = [{ name: "SAILS_WITH", source_types: ["Sailor"], target_types: ["Sailor"] }];
  const reads: string[] = [];
  const { reader } = createWorld(JSON.stringify({ ontology: { hierarchy, edge_types } }), {
    readGraphTypes: async () => ({
      entities: ["Sailor", "Group7"].map((type) => ({ type, count: 1 })),
      relationships: [],
    }),
    listEntities: async ({ type }) => {
      reads.push(String(type));
      return { entities: [], total: 0 };
    },
    listRelationships: async () => {
      reads.push("relationships");
      return [];
    },
  });
  await reader.readNodes("prj_a", 1);
  assert.deepEqual(reads, ["Group7"]);
});
