import assert from "node:assert/strict";
import type { Entity } from "../../../src/ports/graph-store.ts";
import { type Behaviour, commit, ingest, type Scenario } from "../scenario.ts";
import { graphOf } from "./graph-facts.ts";

const withGraph = { graphOf };

export async function entitiesOf(
  { store }: Scenario,
  projectId: string,
  keys: readonly string[],
): Promise<readonly Entity[]> {
  return store.findEntitiesByKeys({ projectId, keys, limit: 50 });
}

/** The names that the entities around these keys have, each entity's joined by "=". */
async function groupsOf(
  scenario: Scenario,
  projectId: string,
  keys: readonly string[],
): Promise<readonly string[]> {
  const entities = await entitiesOf(scenario, projectId, keys);
  return entities.map((entity) => entity.keys.join("=")).sort();
}

/** What the project's latest job reports to have created. */
export async function lastCreated(
  { store }: Scenario,
  projectId: string,
): Promise<readonly [number, number]> {
  const [job] = await store.listJobs({ projectId, page: { limit: 1, offset: 0 } });
  return [job?.nodesCreated ?? -1, job?.edgesCreated ?? -1];
}

export const ledgerBehaviours: readonly Behaviour[] = [
  [
    "an entity is put together from all documents: names by frequency, properties side by side, places",
    async (scenario) => {
      const made = await scenario.project();
      const { projectId } = made;
      await ingest(scenario, made, [["a", "ADA Ada;Ada.born=1815"]], withGraph);
      await ingest(
        scenario,
        made,
        [["b", "Ada;Ada.born=1816;Ada.job=poet Ada.born=1815 City:Ada"]],
        withGraph,
      );
      const [person, city] = await entitiesOf(scenario, projectId, ["ada", "nobody"]);
      assert(person && city);
      const { entityId: _, mentions, properties, ...rest } = person;
      assert.deepEqual(rest, { type: "Person", name: "Ada", aliases: ["ADA"], keys: ["ada"], chunks: 4 });
      assert.deepEqual(
        properties.map(({ property, value, chunks, places }) => [property, value, chunks, places.length]),
        [
          ["born", "1815", 2, 2],
          ["born", "1816", 1, 1],
          ["job", "poet", 1, 1],
        ],
      );
      assert.deepEqual(properties[0]?.places[0], { versionId: 1, position: 1, start: 4, end: 17 });
      assert.deepEqual(
        mentions.map((mention) => [mention.versionId, mention.position, mention.confidence]),
        [
          [1, 0, 0.504],
          [1, 1, 0.504],
          [2, 0, 0.504],
        ],
      );
      assert.deepEqual([city.type, city.chunks], ["City", 1]);
      const ids = [city.entityId, "none", person.entityId];
      assert.deepEqual(await scenario.store.readEntities({ projectId, entityIds: ids }), [city, person]);
      assert.deepEqual(await entitiesOf(scenario, scenario.id("other"), ["ada"]), []);
    },
  ],
  [
    "a job counts the entities and relationships that were not there before, and a repetition none",
    async (scenario) => {
      const made = await scenario.project();
      const { projectId } = made;
      await ingest(scenario, made, [["a", "Ada;Ada>knows>Bob Ada;Ada>knows>Bob;Cid"]], withGraph);
      assert.deepEqual(await lastCreated(scenario, projectId), [3, 1]);
      await ingest(scenario, made, [["b", "Ada;Ada>knows>Bob Ada;Ada>knows>Bob;Cid"]], withGraph);
      assert.deepEqual(await lastCreated(scenario, projectId), [0, 0]);
      await ingest(scenario, made, [["a", "Ada Dan;Ada>knows>Dan;Ada>likes>Bob"]], withGraph);
      assert.deepEqual(await lastCreated(scenario, projectId), [1, 2]);
      // Another name of someone who is there is nobody new, and neither is what is said under it.
      await ingest(scenario, made, [["c", "Countess;Ada~Countess;Countess>knows>Bob"]], withGraph);
      assert.deepEqual(await lastCreated(scenario, projectId), [0, 0]);
      // A job of several batches counts in all of them, jobs of one batch share.
      await scenario.accept(made, [["d", "Eve Fay Eve;Gil"]]);
      const claimed = await scenario.claim();
      await commit(scenario.store, claimed, { count: 1, ...withGraph });
      await commit(scenario.store, claimed, { from: 1, ...withGraph });
      assert.deepEqual(await lastCreated(scenario, projectId), [3, 0]);
    },
  ],
  [
    "names that a text calls the same are one entity as long as it does, of their type only",
    async (scenario) => {
      const made = await scenario.project();
      const { projectId } = made;
      await ingest(scenario, made, [["a", "IBM;IBM>owns>City:Bonn"]], withGraph);
      await ingest(scenario, made, [["b", "Blue;Blue>owns>City:Bonn Machines City:IBM"]], withGraph);
      const keys = ["ibm", "blue", "machines"];
      const apart = ["blue", "ibm", "ibm", "machines"];
      assert.deepEqual(await groupsOf(scenario, projectId, keys), apart);
      await ingest(scenario, made, [["c", "IBM~Blue"]], withGraph);
      await ingest(scenario, made, [["d", "Blue~Machines IBM~Blue"]], withGraph);
      assert.deepEqual(await groupsOf(scenario, projectId, keys), ["blue=ibm=machines", "ibm"]);
      const [joined] = await entitiesOf(scenario, projectId, ["machines"]);
      assert(joined);
      const edges = await scenario.store.findRelationships({
        projectId,
        entityIds: [joined.entityId],
        limit: 9,
      });
      assert.deepEqual(
        edges.map(({ type, sourceId, chunks, evidence }) => [type, sourceId, chunks, evidence.length]),
        [["owns", joined.entityId, 2, 2]],
      );
      await ingest(scenario, made, [["d", "nothing"]], withGraph);
      assert.deepEqual(await groupsOf(scenario, projectId, keys), ["blue=ibm", "ibm", "machines"]);
      await ingest(scenario, made, [["c", ""]], withGraph);
      assert.deepEqual(await groupsOf(scenario, projectId, keys), apart);
    },
  ],
  [
    "what a rule supposes joins names that are there, and none that could be several",
    async (scenario) => {
      const made = await scenario.project();
      const { projectId } = made;
      const keys = ["jfk", "john", "johnny", "jay", "joe", "jim", "jon"];
      await ingest(scenario, made, [["a", "John;John?JFK"]], withGraph);
      assert.deepEqual(await groupsOf(scenario, projectId, keys), ["john"]);
      await ingest(scenario, made, [["b", "JFK"]], withGraph);
      assert.deepEqual(await groupsOf(scenario, projectId, keys), ["jfk=john"]);
      await ingest(scenario, made, [["c", "Jay;Jay?JFK Joe;Joe?JFK Jim;Jim?JFK"]], withGraph);
      assert.deepEqual(await groupsOf(scenario, projectId, keys), ["jay=jfk=jim=joe=john"]);
      await ingest(scenario, made, [["d", "Jon;Jon?JFK"]], withGraph);
      assert.deepEqual(await groupsOf(scenario, projectId, keys), [
        "jay",
        "jfk",
        "jim",
        "joe",
        "john",
        "jon",
      ]);
      await ingest(scenario, made, [["d", ""]], withGraph);
      assert.deepEqual(await groupsOf(scenario, projectId, keys), ["jay=jfk=jim=joe=john"]);
      await ingest(scenario, made, [["b", ""]], withGraph);
      assert.deepEqual(await groupsOf(scenario, projectId, keys), ["jay", "jim", "joe", "john"]);
    },
  ],
  [
    "a replacing document is in the graph from its switch on, in place of the one before, and not when it fails",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      await ingest(scenario, made, [["a", "Ada;Ada>knows>Bob;!Old Bob;Bob.age=3"]], withGraph);
      await ingest(scenario, made, [["b", "Bob"]], withGraph);
      const look = async () => {
        const entities = await entitiesOf(scenario, projectId, ["ada", "bob", "cid"]);
        const entityIds = entities.map((entity) => entity.entityId);
        const edges = await store.findRelationships({ projectId, entityIds, limit: 9 });
        const passages = [1, 2, 3, 4].flatMap((versionId) =>
          [0, 1].map((position) => ({ versionId, position })),
        );
        const inside = await store.findEntitiesIn({ projectId, passages, limit: 99 });
        const report = await store.readFitReport({ projectId, limit: 9 });
        return [
          entities.map((entity) => [entity.name, entity.chunks, entity.properties.length]).sort(),
          edges.map((edge) => edge.type),
          inside.map((found) => `${found.versionId}.${found.position} ${found.key}`),
          report.map((unfit) => [unfit.name, unfit.count]),
        ];
      };
      const old = [
        [
          ["Ada", 1, 0],
          ["Bob", 2 + 1, 1],
        ],
        ["knows"],
        ["1.0 ada", "1.0 bob", "1.1 bob", "2.0 bob"],
        [["Old", 1]],
      ];
      assert.deepEqual(await look(), old);
      await scenario.accept(made, [["a", "Cid;Cid>likes>Bob;!New nothing"]]);
      const failed = await scenario.claim();
      await commit(store, failed, { count: 1, ...withGraph });
      assert.deepEqual(await look(), old);
      const jobIds = failed.jobs.map((job) => job.jobId);
      const { leaseToken } = failed;
      await store.failJobs({ jobIds, projectId, leaseToken, now: 4_000, errorMessage: "x", retryAt: null });
      assert.deepEqual(await look(), old);
      await ingest(scenario, made, [["a", "Cid;Cid>likes>Bob;!New nothing"]], withGraph);
      const replaced = [
        [
          ["Bob", 2, 0],
          ["Cid", 1, 0],
        ],
        ["likes"],
        ["2.0 bob", "3.0 bob", "3.0 cid", "3.1 nothing"],
        [["New", 1]],
      ];
      assert.deepEqual(await look(), replaced);
      assert.deepEqual(await lastCreated(scenario, projectId), [2, 1]);
      await store.deleteProject({ projectId });
      assert.deepEqual(await look(), [[], [], [], []]);
    },
  ],
  [
    "relationships between the entities come before those around them, the best supported first",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      const text = "Ada>knows>Bob Ada>likes>Cid Ada>likes>Cid Ada>sees>Dan Eve>knows>Ada";
      await ingest(scenario, made, [["a", text]], withGraph);
      const [ada, bob] = (await entitiesOf(scenario, projectId, ["ada", "bob"])).map(
        (entity) => entity.entityId,
      );
      assert(ada && bob);
      const find = async (entityIds: readonly string[], limit: number) => {
        const edges = await store.findRelationships({ projectId, entityIds, limit });
        return edges.map((edge) => `${edge.type} ${edge.chunks}`);
      };
      assert.deepEqual((await find([ada, bob], 9)).slice(0, 2), ["knows 1", "likes 2"]);
      assert.equal((await find([ada, bob], 9)).length, 4);
      assert.deepEqual(await find([bob], 9), ["knows 1"]);
      assert.deepEqual(await find([ada], 1), ["likes 2"]);
      assert.deepEqual(await find([], 9), []);
      const [edge] = await store.findRelationships({
        projectId,
        entityIds: [bob],
        limit: 1,
      });
      assert.deepEqual(edge?.evidence, [
        {
          versionId: 1,
          position: 0,
          start: 0,
          end: 13,
          confidence: 0.25,
          extractor: "test",
          validFrom: null,
          validTo: null,
        },
      ]);
      const types = await store.readGraphTypes({ projectId });
      assert.deepEqual(types.entities, [{ type: "Person", count: 5 }]);
      assert.deepEqual(types.relationships[0], {
        type: "knows",
        sourceType: "Person",
        targetType: "Person",
        count: 2,
      });
    },
  ],
  [
    "without places an entity and a relationship say the same, and no more",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      await ingest(scenario, made, [["a", "Ada;Ada.born=1815;Ada>knows>Bob"]], withGraph);
      const [ada] = await entitiesOf(scenario, projectId, ["ada"]);
      assert(ada);
      const entityIds = [ada.entityId];
      assert.deepEqual(await store.readEntities({ projectId, entityIds, withPlaces: false }), [
        { ...ada, mentions: [], properties: ada.properties.map((property) => ({ ...property, places: [] })) },
      ]);
      const [edge] = await store.findRelationships({ projectId, entityIds, limit: 9 });
      const bare = await store.findRelationships({ projectId, entityIds, limit: 9, withPlaces: false });
      assert.deepEqual(bare, [{ ...edge, confidence: null, evidence: [] }]);
      assert.deepEqual(await store.readEntities({ projectId, entityIds: ["0", "x", "-1", "1e9"] }), []);
      const { projectId: other } = await scenario.project();
      assert.deepEqual(await store.readEntities({ projectId: other, entityIds }), []);
      assert.deepEqual(await store.findRelationships({ projectId: other, entityIds, limit: 9 }), []);
    },
  ],
  [
    "places may be asked for in some chunks alone, under whatever name they have the entity",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      await ingest(scenario, made, [["a", "Ada Ada Ada;Ada.born=1815;Ada>knows>Bob"]], withGraph);
      await ingest(scenario, made, [["b", "x C;C.born=1815;C.job=poet;C>knows>Bob Ada~C"]], withGraph);
      const [ada] = await entitiesOf(scenario, projectId, ["ada"]);
      assert(ada);
      const wanted = { projectId, entityIds: [ada.entityId], within: [{ versionId: 2, position: 1 }] };
      const [entity] = await store.readEntities(wanted);
      const at = { versionId: 2, position: 1 };
      assert.deepEqual(
        entity?.properties.map(({ value, chunks, places }) => [value, chunks, places]),
        [
          ["1815", 2, [{ ...at, start: 2, end: 13 }]],
          ["poet", 1, [{ ...at, start: 14, end: 24 }]],
        ],
      );
      assert.deepEqual(entity.mentions, [{ ...at, start: 0, end: 1, confidence: 0.502 }]);
      const [edge] = await store.findRelationships({ ...wanted, limit: 9 });
      assert.equal(edge?.chunks, 2);
      assert.deepEqual(
        edge.evidence.map(({ versionId, position, start }) => [versionId, position, start]),
        [[2, 1, 25]],
      );
      const [everywhere] = await store.findRelationships({ projectId, entityIds: [ada.entityId], limit: 9 });
      assert.deepEqual(
        everywhere?.evidence.map(({ versionId, position }) => [versionId, position]),
        [
          [2, 1],
          [1, 2],
        ],
      );
      const none = { ...wanted, within: [{ versionId: 1, position: 1 }] };
      assert.deepEqual((await store.findRelationships({ ...none, limit: 9 }))[0]?.evidence, []);
    },
  ],
  [
    "entities are listed by name, of a type or with a beginning, an entity of several names once",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      await ingest(scenario, made, [["a", "Bob Ada Adam City:Ada Cid Ada~Countess Cid?Z"]], withGraph);
      const list = async (options: { type?: string; prefix?: string }, limit = 9, offset = 0) => {
        const found = await store.listEntities({ projectId, ...options, page: { limit, offset } });
        return [found.total, ...found.entities.map(({ type, key }) => `${type}:${key}`)];
      };
      const all = ["City:ada", "Person:ada", "Person:adam", "Person:bob", "Person:cid"];
      assert.deepEqual(await list({}), [5, ...all]);
      assert.deepEqual(await list({}, 2, 1), [5, "Person:ada", "Person:adam"]);
      assert.deepEqual(await list({ type: "City" }), [1, "City:ada"]);
      assert.deepEqual(await list({ prefix: "ada", type: "Person" }), [2, "Person:ada", "Person:adam"]);
      assert.deepEqual(await list({ prefix: "z" }), [0]);
      const { entities } = await store.listEntities({ projectId, page: { limit: 9, offset: 0 } });
      const entityIds = entities.map(({ entityId }) => entityId);
      assert.equal((await store.readEntities({ projectId, entityIds })).length, 5);
    },
  ],
  [
    "what a node of an upper level gathers is no relationship, and goes with the text that says so",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      await ingest(scenario, made, [["a", "Group:Poets<Ada Group:Poets<Ada Group:Poets<Bob"]], withGraph);
      await ingest(scenario, made, [["b", "Group:Poets<Cid;Ada~Countess"]], withGraph);
      const [poets] = await entitiesOf(scenario, projectId, ["poets"]);
      assert(poets);
      const entityIds = [poets.entityId];
      const members = async (limit = 9) => {
        const found = await store.readMembers({ projectId, entityIds, limit });
        const ids = found.map(({ memberId }) => memberId);
        const entities = await store.readEntities({ projectId, entityIds: ids });
        return found.map(({ chunks }, at) => `${entities[at]?.keys.join("=")} ${chunks}`);
      };
      assert.deepEqual(await members(), ["ada=countess 2", "bob 1", "cid 1"]);
      assert.deepEqual(await members(1), ["ada=countess 2"]);
      assert.deepEqual(await store.findRelationships({ projectId, entityIds, limit: 9 }), []);
      assert.deepEqual((await store.readGraphTypes({ projectId })).relationships, []);
      assert.deepEqual(await lastCreated(scenario, projectId), [1, 0]);
      await ingest(scenario, made, [["a", "nothing"]], withGraph);
      assert.deepEqual(await members(), ["cid 1"]);
    },
  ],
  [
    "facts whose names cannot be keys are left out, and odd texts are stored as both databases can",
    async (scenario) => {
      const made = await scenario.project();
      const { projectId } = made;
      const odd = graphOf;
      await ingest(scenario, made, [["a", "Ada"]], {
        graphOf: (chunk) => {
          const graph = odd(chunk);
          const [ada] = graph.facts?.entities ?? [];
          assert(graph.facts && ada);
          const span = { start: 0, end: 1 };
          const entities = [
            { ...ada, name: "A\u0000d\ud800a", start: 1 },
            { ...ada, key: "a\u0000" },
            { ...ada, key: "x".repeat(5_000) },
            { ...ada, confidence: Number.NaN, start: 2 },
          ];
          const value = `${"v".repeat(9_000)}`;
          const properties = [{ entity: ada, property: "p", value, ...span }];
          return { ...graph, facts: { ...graph.facts, entities, properties } };
        },
      });
      const [ada, ...rest] = await entitiesOf(scenario, projectId, ["ada", "a\u0000"]);
      assert.equal(rest.length, 0);
      assert.deepEqual([ada?.name, ada?.aliases], ["A d\ufffda", ["Ada"]]);
      assert.equal(ada?.properties[0]?.value.length, 300);
    },
  ],
];
