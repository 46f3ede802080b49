import assert from "node:assert/strict";
import type { EntityCursor } from "../../../src/ports/graph-browser.ts";
import type { Relationship } from "../../../src/ports/graph-store.ts";
import { searchRelationships } from "../../../src/services/graph/edge-lists.ts";
import { listUnrelated, readOverview, readPath } from "../../../src/services/graph/overview.ts";
import { relationshipsFrom } from "../../../src/services/graph/relationships.ts";
import { type Behaviour, ingest, type Scenario } from "../scenario.ts";
import { graphOf } from "./graph-facts.ts";

const page = { limit: 100, offset: 0 };

async function projectWith(scenario: Scenario, texts: readonly (readonly [string, string])[]) {
  const made = await scenario.project();
  await ingest(scenario, made, texts, { graphOf });
  return made.projectId;
}

async function search(scenario: Scenario, projectId: string, part: string, type: string | null = null) {
  const found = await scenario.store.searchEntities({ projectId, part, type, page });
  assert.equal(found.total, found.entities.length);
  return found.entities.map((entity) => `${entity.type}:${entity.key}`);
}

/** `ada knows bob 2`, by the normal forms of the ends. */
async function told(scenario: Scenario, projectId: string, relationships: readonly Relationship[]) {
  const ids = relationships.flatMap(({ sourceId, targetId }) => [sourceId, targetId]);
  const entities = await scenario.store.readEntities({ projectId, entityIds: ids.slice(0, 100) });
  const names = new Map(entities.map(({ entityId, keys }) => [entityId, keys.join("=")]));
  return relationships.map(
    ({ sourceId, type, targetId, chunks }) =>
      `${names.get(sourceId)} ${type} ${names.get(targetId)} ${chunks}`,
  );
}

async function idOf({ store }: Scenario, projectId: string, key: string): Promise<string> {
  const [entity] = await store.findEntitiesByKeys({ projectId, keys: [key], limit: 1 });
  assert(entity);
  return entity.entityId;
}

export const browsingBehaviours: readonly Behaviour[] = [
  [
    "entities are found by a part of any of their names, those called so first",
    async (scenario) => {
      const projectId = await projectWith(scenario, [
        ["a", "Ann Joanna Zoe;Zoe~Annabel Annabel City:Ann"],
        ["b", "x%y x_z xay"],
      ]);
      assert.deepEqual(await search(scenario, projectId, "ann"), [
        "City:ann",
        "Person:ann",
        "Person:joanna",
        "Person:zoe",
      ]);
      assert.deepEqual(await search(scenario, projectId, "ann", "City"), ["City:ann"]);
      assert.deepEqual(await search(scenario, projectId, "zo"), ["Person:zoe"]);
      assert.deepEqual(await search(scenario, projectId, "x%"), ["Person:x%y"]);
      assert.deepEqual(await search(scenario, projectId, "_"), ["Person:x_z"]);
      assert.deepEqual(await search(scenario, projectId, "a\0"), []);
      assert.equal((await search(scenario, projectId, "")).length, 7);
      const first = { projectId, part: "ann", type: null, page: { limit: 1, offset: 1 } };
      const found = await scenario.store.searchEntities(first);
      assert.deepEqual([found.entities[0]?.key, found.entities[0]?.type, found.total], ["ann", "Person", 4]);
    },
  ],
  [
    "entities come page by page behind a cursor, each once",
    async (scenario) => {
      const names = Array.from({ length: 23 }, (_, at) => `N${String(at).padStart(2, "0")}`);
      const projectId = await projectWith(scenario, [["a", names.join(" ")]]);
      const seen: string[] = [];
      let after: EntityCursor | null = null;
      for (;;) {
        const listed = await scenario.store.listEntitiesAfter({ projectId, after, limit: 5 });
        const last = listed.at(-1);
        if (last === undefined) break;
        seen.push(...listed.map(({ key }) => key));
        after = { key: last.key, type: last.type };
      }
      assert.deepEqual(
        seen,
        names.map((name) => name.toLowerCase()),
      );
    },
  ],
  [
    "the evidence of an entity is where its chunks have it, under any of its names",
    async (scenario) => {
      const projectId = await projectWith(scenario, [
        ["a", "Ada Bob;Ada Ada~Countess"],
        ["b", "Countess"],
        ["c", "Bob Bob>knows>Countess Ada.born=1815"],
      ]);
      const entityId = await idOf(scenario, projectId, "ada");
      const evidence = await scenario.store.readEntityEvidence({ projectId, entityId, limit: 10 });
      assert.deepEqual(
        evidence.map(({ versionId, position, start }) => [versionId, position, start]),
        [
          [1, 0, 0],
          [1, 1, 4],
          [2, 0, 0],
          [3, 1, 0],
          [3, 2, 0],
        ],
      );
      const two = await scenario.store.readEntityEvidence({ projectId, entityId, limit: 2 });
      assert.equal(two.length, 2);
      const other = await projectWith(scenario, [["a", "Ada"]]);
      // Its own entity has the same number.
      const own = await scenario.store.readEntityEvidence({ projectId: other, entityId, limit: 10 });
      assert.equal(own.length, 1);
      assert.deepEqual(await scenario.store.readEntityEvidence({ projectId, entityId: "x", limit: 1 }), []);
    },
  ],
  [
    "an entity is connected by the relationships of all of its names",
    async (scenario) => {
      const projectId = await projectWith(scenario, [
        ["a", "Ada>knows>Bob Ada~Countess Dot"],
        ["b", "Countess>knows>Bob Countess>likes>Cid Ada>knows>Countess"],
      ]);
      const { store } = scenario;
      const [ada, bob, cid] = await Promise.all(
        ["ada", "bob", "cid"].map((key) => idOf(scenario, projectId, key)),
      );
      assert(ada !== undefined && bob !== undefined && cid !== undefined);
      const wholeGraph = { limit: 10, sourceDocId: null, asOf: null };
      const overview = await readOverview(store, projectId, wholeGraph);
      assert.deepEqual(
        overview.entities.map(({ entityId, degree }) => [entityId, degree]),
        [
          [ada, 2],
          [bob, 1],
          [cid, 1],
        ],
      );
      assert.deepEqual(
        overview.relationships.map(({ type, chunks }) => [type, chunks]),
        [
          ["knows", 2],
          ["likes", 1],
        ],
      );
      const { relationships: path } = await readPath(store, projectId, { from: bob, to: cid });
      assert.deepEqual(
        path.map(({ type, evidence }) => [type, evidence.length > 0]),
        [
          ["knows", true],
          ["likes", true],
        ],
      );
      const unrelated = await listUnrelated(store, projectId, { type: null, limit: 9, offset: 0 });
      assert.deepEqual(
        unrelated.entities.flatMap(({ keys }) => keys),
        ["dot"],
      );
      const other = await projectWith(scenario, [["a", "Ada"]]);
      assert.equal((await readOverview(store, other, wholeGraph)).connected, 0);
      const nodes = [ada, bob, cid].map(Number);
      assert.deepEqual([...(await store.findEntitiesOfNodes({ projectId: other, nodes })).values()], [ada]);
    },
  ],
  [
    "relationships are put together over the names of their ends, the best supported first",
    async (scenario) => {
      const projectId = await projectWith(scenario, [
        ["a", "Ada>knows>Bob Ada>likes>Cid Ada~Countess"],
        ["b", "Countess>knows>Bob Bob>knows>Ada Poets<Ada"],
      ]);
      const list = async (type: string | null, entityId: string | null, limit = 100, offset = 0) => {
        const input = { projectId, type, entityId, page: { limit, offset } };
        const { relationships, total } = await searchRelationships(scenario.store, input);
        return { total, lines: await told(scenario, projectId, relationships) };
      };
      const known = ["ada=countess knows bob 2", "ada=countess likes cid 1", "bob knows ada=countess 1"];
      assert.deepEqual(await list(null, null), { total: 3, lines: known });
      assert.deepEqual(await list("likes", null), { total: 1, lines: [known[1]] });
      assert.deepEqual(await list(null, null, 1, 1), { total: 3, lines: [known[1]] });
      assert.deepEqual(await list(null, null, 1, 9), { total: 3, lines: [] });
      assert.deepEqual(await list("", null), { total: 0, lines: [] });
      const cid = await idOf(scenario, projectId, "cid");
      assert.deepEqual(await list(null, cid), { total: 1, lines: [known[1]] });
      const ada = await idOf(scenario, projectId, "ada");
      assert.deepEqual(await list(null, ada), { total: 3, lines: known });
      assert.deepEqual(await list(null, "999999"), { total: 0, lines: [] });
      const other = await projectWith(scenario, [["a", "Ada"]]);
      const foreign = { projectId: other, type: null, entityId: ada, page };
      assert.deepEqual((await searchRelationships(scenario.store, foreign)).relationships, []);
      const { relationships } = await searchRelationships(scenario.store, {
        ...{ projectId, page },
        type: "likes",
        entityId: null,
      });
      assert.deepEqual(
        relationships[0]?.evidence.map(({ versionId, position, start, end }) => [
          versionId,
          position,
          start,
          end,
        ]),
        [[1, 1, 0, 13]],
      );
    },
  ],
  [
    "relationships come page by page, each once, and only those that begin at the sources",
    async (scenario) => {
      const words = Array.from({ length: 17 }, (_, at) => `Hub>r${at % 3}>T${at}`);
      const projectId = await projectWith(scenario, [["a", [...words, "T1>back>Hub"].join(" ")]]);
      const entityIds = [await idOf(scenario, projectId, "hub")];
      const seen = (
        await Array.fromAsync(relationshipsFrom(scenario.store, { projectId, entityIds, asOf: null }))
      ).flat();
      assert.deepEqual(
        (await told(scenario, projectId, seen)).sort(),
        words.map((word) => `${word.replaceAll(">", " ").toLowerCase()} 1`).sort(),
      );
    },
  ],
  [
    "a relationship between several names comes once, with all of its chunks",
    async (scenario) => {
      const projectId = await projectWith(scenario, [
        ["a", "Ada>knows>Bob Ada~Countess Bob~Robert Cid>knows>Ada"],
        ["b", "Countess>knows>Robert Countess>knows>Bob Ada>likes>Robert Ada>knows>Bob"],
      ]);
      const entityIds = await Promise.all(["cid", "countess"].map((key) => idOf(scenario, projectId, key)));
      const pages = relationshipsFrom(scenario.store, { projectId, entityIds, asOf: null });
      assert.deepEqual((await told(scenario, projectId, (await Array.fromAsync(pages)).flat())).sort(), [
        "ada=countess knows bob=robert 4",
        "ada=countess likes bob=robert 1",
        "cid knows ada=countess 1",
      ]);
    },
  ],
  [
    "the chunks that mention an entity come with the mentions of every entity, under one id for all its names",
    async (scenario) => {
      const projectId = await projectWith(scenario, [
        ["a", "Bob;Ada;Cid Bob Ada~Countess"],
        ["b", "Dan;Countess Ada>knows>Bob"],
      ]);
      const ids = await Promise.all(
        ["ada", "bob", "cid", "dan"].map((key) => idOf(scenario, projectId, key)),
      );
      const [ada = "", bob, cid, dan] = ids;
      const read = (entityId: string, limit = 9) =>
        scenario.store.readMentionsAround({ projectId, entityId, limit });
      assert.deepEqual(await read(ada), [
        {
          versionId: 1,
          position: 0,
          mentions: [
            { entityId: bob, key: "bob", start: 0, end: 3 },
            { entityId: ada, key: "ada", start: 4, end: 7 },
            { entityId: cid, key: "cid", start: 8, end: 11 },
          ],
        },
        {
          versionId: 2,
          position: 0,
          mentions: [
            { entityId: dan, key: "dan", start: 0, end: 3 },
            { entityId: ada, key: "countess", start: 4, end: 12 },
          ],
        },
      ]);
      assert.equal((await read(ada, 1)).length, 1);
      assert.deepEqual(await read("x"), []);
      const other = await projectWith(scenario, [["a", "Ada"]]);
      const foreign = { projectId: other, entityId: ada, limit: 9 };
      assert.deepEqual(await scenario.store.readMentionsAround(foreign), []);
    },
  ],
  [
    "entities have the number of chunks that mention them, and whether a fact joins them to a given one",
    async (scenario) => {
      const projectId = await projectWith(scenario, [
        ["a", "Ada Bob Bob Cid Dan Ada>knows>Bob Cid>likes>Countess Ada~Countess Poets<Ada Poets"],
      ]);
      const keys = ["ada", "bob", "cid", "dan", "poets"];
      const [ada = "", ...otherIds] = await Promise.all(keys.map((key) => idOf(scenario, projectId, key)));
      const support = async (input: { projectId: string; otherIds: readonly string[] }) => {
        const found = await scenario.store.readSupport({ entityId: ada, ...input });
        return found.map(({ entityId, chunks, isRelated }) => [
          keys[1 + otherIds.indexOf(entityId)],
          chunks,
          isRelated,
        ]);
      };
      assert.deepEqual((await support({ projectId, otherIds })).sort(), [
        ["bob", 2, true],
        ["cid", 1, true],
        ["dan", 1, false],
        ["poets", 1, true],
      ]);
      // A chunk that mentions one entity by two names counts once.
      const named = await projectWith(scenario, [["a", "Eve Ada;Countess;Ada~Countess Countess;Eve Ada"]]);
      const [eve = "", countess = ""] = await Promise.all(
        ["eve", "countess"].map((key) => idOf(scenario, named, key)),
      );
      const counted = await scenario.store.readSupport({
        ...{ projectId: named, entityId: eve },
        otherIds: [countess],
      });
      assert.deepEqual(counted, [{ entityId: countess, chunks: 3, isRelated: false }]);
      assert.deepEqual(await support({ projectId, otherIds: ["999999", "x"] }), []);
      const other = await projectWith(scenario, [["a", "Ada"]]);
      assert.deepEqual(await support({ projectId: other, otherIds }), []);
      assert.equal(await scenario.store.countChunks({ projectId }), 10);
      assert.equal(await scenario.store.countChunks({ projectId: other }), 1);
    },
  ],
];
