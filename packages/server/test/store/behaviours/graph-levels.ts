/** What nodes of upper levels are formed from and described by. */
import assert from "node:assert/strict";
import { NO_FACTS } from "../../../src/domain/ontology/allowed-facts.ts";
import { type Behaviour, ingest } from "../scenario.ts";
import { graphOf } from "./graph-facts.ts";

const withGraph = { graphOf };

export const levelBehaviours: readonly Behaviour[] = [
  [
    "relationships are listed by kind and between entities, and go with the texts that say so",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      await ingest(scenario, made, [["a", "Ada>knows>Bob Ada>knows>City:Bonn;Ada>likes>Bob"]], withGraph);
      await ingest(scenario, made, [["b", "Countess>knows>Bob;Ada~Countess"]], withGraph);
      const kind = (type: string, targetType = "Person") => ({ type, sourceType: "Person", targetType });
      const list = async (kinds: readonly ReturnType<typeof kind>[], limit = 9) => {
        const found = await store.listRelationships({ projectId, kinds, limit });
        return found.map(
          ({ source, type, target, chunks }) => `${source.key} ${type} ${target.key} ${chunks}`,
        );
      };
      assert.deepEqual(await list([kind("knows")]), ["ada knows bob 2"]);
      const both = [kind("likes"), kind("knows", "City")];
      assert.deepEqual(await list(both), ["ada likes bob 1", "ada knows bonn 1"]);
      assert.deepEqual(await list(both, 1), ["ada likes bob 1"]);
      assert.deepEqual(await list([]), []);
      const other = await scenario.project();
      assert.deepEqual(
        await store.listRelationships({ projectId: other.projectId, kinds: [kind("knows")], limit: 9 }),
        [],
      );
      await ingest(scenario, made, [["a", "nothing"]], withGraph);
      assert.deepEqual(await list([kind("knows"), ...both]), ["countess knows bob 1"]);
    },
  ],
  [
    "chunks of entities are listed for all of their names, and never those of another project",
    async (scenario) => {
      const { store } = scenario;
      const made = await scenario.project();
      const { projectId } = made;
      await ingest(scenario, made, [["a", "Ada~Countess Bob Countess"]], withGraph);
      const entities = await store.findEntitiesByKeys({ projectId, keys: ["ada", "bob"], limit: 9 });
      const entityIds = entities.map(({ entityId }) => entityId);
      const list = async (id: string) => {
        const found = await store.listChunksOf({ projectId: id, entityIds });
        const nameOf = new Map(entities.map((entity) => [entity.entityId, entity.keys.join("=")]));
        return found.map(({ entityId, position }) => `${nameOf.get(entityId)} ${position}`);
      };
      assert.deepEqual(await list(projectId), ["ada=countess 0", "bob 1", "ada=countess 2"]);
      assert.deepEqual(await list((await scenario.project()).projectId), []);
    },
  ],
  [
    "the ontology of a project is read by the project, and none where it is bound to none",
    async ({ store, project, id }) => {
      const [accountId, ontologyId] = [id("account"), id("ontology")];
      const schemaJson = '{"a":1}';
      const ontology = { ontologyId, accountId, name: "Ships", createdAt: 5, schemaJson, version: 1 };
      await store.createOntology({
        ontology,
        allowedFacts: NO_FACTS,
        maxPerAccount: 10,
        maxStoredBytes: null,
      });
      const bound = await project({ accountId, ontologyId });
      assert.deepEqual(await store.readOntologyOf({ projectId: bound.projectId }), {
        ontologyId,
        schemaJson,
      });
      const other = await project({ ontologyId });
      assert.notEqual((await store.readOntologyOf({ projectId: other.projectId }))?.schemaJson, schemaJson);
      const { projectId } = await project({ accountId });
      assert.equal(await store.readOntologyOf({ projectId }), null);
      assert.equal(await store.readOntologyOf({ projectId: "none" }), null);
    },
  ],
];
