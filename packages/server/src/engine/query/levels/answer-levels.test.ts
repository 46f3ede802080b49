import assert from "node:assert/strict";
import { test } from "node:test";
import { parseOntology } from "../../../domain/ontology-schema.ts";
import type { Entity, EntityMember } from "../../../ports/graph-store.ts";
import { planGathering, type UpperType } from "../../graph/gathering.ts";
import { addLevels, type LevelDeps } from "./answer-levels.ts";
import type { UpperNode } from "./level-reader.ts";

/** A crew aggregates sailors. */
const plan = planGathering(
  parseOntology(
    JSON.stringify({
      ontology: {
        hierarchy: [
          { level: 0, node_types: { Sailor: {} } },
          { level: 1, node_types: { Crew: { aggregates: ["Sailor"] } } },
        ],
        edge_types: [{ name: "MEMBER_OF", source_types: ["Sailor"], target_types: ["Crew"] }],
      },
    }),
  ),
);
const [crew] = plan.upperTypes as readonly [UpperType]; // The one above.

const members: readonly EntityMember[] = [
  { parentId: "red crew", memberId: "ada holm", chunks: 2 },
  { parentId: "red crew", memberId: "odd lund", chunks: 1 },
  { parentId: "blue crew", memberId: "ida marsk", chunks: 9 },
];
const capitalized = (key: string) => key.replace(/\b\w/g, (letter) => letter.toUpperCase());
const entities = ["red crew", "blue crew", "ada holm", "odd lund", "ida marsk"].map(
  (key): Entity => ({
    ...{ entityId: key, type: key.endsWith("crew") ? "Crew" : "Sailor", name: capitalized(key), keys: [key] },
    ...{ aliases: [], properties: [], chunks: 1, mentions: [] },
  }),
);
const nodes = ["blue crew", "red crew"].map((key): UpperNode => {
  const own = members.filter(({ parentId }) => parentId === key);
  const entity = { entityId: key, type: "Crew", key };
  const ids = own.map(({ memberId }) => ({ entityId: memberId }));
  return { type: crew, origin: { kind: "named", entity }, members: ids, chunks: own.length };
});

const deps: LevelDeps = {
  levels: { readPlan: async () => plan, readNodes: async () => nodes },
  graph: {
    findEntitiesByKeys: async ({ keys, limit }) =>
      entities.filter((entity) => entity.keys.some((key) => keys.includes(key))).slice(0, limit),
    readEntities: async ({ entityIds }) => entities.filter(({ entityId }) => entityIds.includes(entityId)),
    readMembers: async ({ entityIds }) => members.filter(({ parentId }) => entityIds.includes(parentId)),
    findRelationships: async () => [],
    listChunksOf: async ({ entityIds }) =>
      entityIds.map((entityId) => ({ entityId, versionId: 1, position: 0 })),
  },
  index: {
    readChunks: async ({ keys }) => {
      const text =
        "The Red Crew unites Ada Holm and Odd Lund. Ida Marsk leads the Blue Crew. It rained a lot.";
      return keys.map((key) => ({ ...key, sourceDocId: "d", header: "", text, start: 0, end: text.length }));
    },
  },
};

async function ask(query: string, linkedNames: readonly string[], given: readonly string[] = []) {
  const graph = {
    entities: given.map((name) => ({ type: "Crew", name, properties: { colour: "dark" } })),
    relationships: [],
  };
  const answer = await addLevels({ projectId: "p", indexVersion: 1, query, linkedNames, graph }, deps);
  return { ...answer, names: answer.graph.entities.map(({ name }) => name) };
}

test("an overview has the nodes, best supported first, then their members, and describes them", async () => {
  const { names, graph, summary } = await ask("Which crews are there?", []);
  assert.deepEqual(names, ["Red Crew", "Blue Crew", "Ada Holm", "Ida Marsk", "Odd Lund"]);
  assert.deepEqual(graph.entities[0]?.properties, {
    description: "The Red Crew unites Ada Holm and Odd Lund.",
    members: "Ada Holm, Odd Lund",
  });
  assert.deepEqual(
    graph.relationships.map(({ source, type, target }) => `${source} ${type} ${target}`),
    ["Ada Holm MEMBER_OF Red Crew", "Odd Lund MEMBER_OF Red Crew", "Ida Marsk MEMBER_OF Blue Crew"],
  );
  assert.equal(summary, "The Red Crew unites Ada Holm and Odd Lund. Ida Marsk leads the Blue Crew.");
});

test("a question for the node of a member has that node alone, without a summary", async () => {
  const { names, summary } = await ask("Which crew is Ida Marsk in?", ["ida marsk"]);
  assert.deepEqual(names, ["Blue Crew", "Ida Marsk"]);
  assert.equal(summary, null);
});

test("a question for a fact keeps its entities, and nodes among them get their members", async () => {
  const { names, graph, summary } = await ask("Who led it?", [], ["Blue Crew", "Green Crew"]);
  assert.deepEqual([names, summary], [["Blue Crew", "Green Crew"], null]);
  assert.deepEqual(
    graph.entities.map(({ properties }) => properties),
    [
      { description: "Ida Marsk leads the Blue Crew.", members: "Ida Marsk", colour: "dark" },
      { colour: "dark" },
    ],
  );
});
