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
    readOntologyOf: async () => ({ ontologyId: "ont_a", schemaJson }),
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

test("nodes are formed from a bounded number of relationships, however many types could have some", async () => {
  const upper = Array.from({ length: 100 }, (_, at) => [`Group${at}`, { aggregates: ["Sailor"] }]);
  const hierarchy = [
    { level: 0, node_types: { Sailor: {} } },
    { level: 1, node_types: Object.fromEntries(upper) },
  ];
  const edge_types = [{ name: "SAILS_WITH", source_types: ["Sailor"], target_types: ["Sailor"] }];
  const kind = { type: "SAILS_WITH", sourceType: "Sailor", targetType: "Sailor" };
  const end = (at: number) => ({ entityId: `ent_${at}`, type: "Sailor", key: `sailor ${at}` });
  const listed = Array.from({ length: 10_000 }, (_, at) => {
    return { type: kind.type, source: end(at % 100), target: end(at % 90), chunks: 1 };
  });
  let lists = 0;
  const { reader } = createWorld(JSON.stringify({ ontology: { hierarchy, edge_types } }), {
    readGraphTypes: async () => ({
      entities: [{ type: "Sailor", count: 100 }],
      relationships: [{ ...kind, count: 10_000 }],
    }),
    listRelationships: async () => {
      lists++;
      return listed;
    },
  });
  assert.ok((await reader.readNodes("prj_a", 1)).length > 0);
  assert.equal(lists, 5);
});

test("projects of one ontology share its plan", async () => {
  const { reader } = createWorld();
  assert.equal(await reader.readPlan("prj_a", 1), await reader.readPlan("prj_b", 1));
});

test("nodes of many members are not all kept", async () => {
  const upper = Array.from({ length: 40 }, (_, at) => `Group${at}`);
  const groups = Object.fromEntries(upper.map((name) => [name, { aggregates: ["Sailor"] }]));
  const hierarchy = [
    { level: 0, node_types: { Sailor: {} } },
    { level: 1, node_types: groups },
  ];
  const named = Array.from({ length: 300 }, (_, at) => {
    return { entityId: `crew ${at}`, type: "Group", key: `crew ${at}` };
  });
  const sailors = Array.from({ length: 3_000 }, (_, at) => `sailor ${at}`);
  let lists = 0;
  const { reader } = createWorld(JSON.stringify({ ontology: { hierarchy } }), {
    readGraphTypes: async () => ({
      entities: upper.map((type) => ({ type, count: 300 })),
      relationships: [],
    }),
    listEntities: async () => {
      lists++;
      return { entities: named, total: 300 };
    },
    readMembers: async ({ entityIds: [parentId = ""] }) =>
      sailors.map((memberId) => ({ parentId, memberId, chunks: 1 })),
  });
  for (const project of ["prj_a", "prj_b", "prj_b", "prj_a"]) await reader.readNodes(project, 1);
  assert.equal(lists, 3 * upper.length);
});
