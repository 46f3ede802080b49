import assert from "node:assert/strict";
import { test } from "node:test";
import type { RankedChunk } from "../../domain/query.ts";
import type { Entity, EntityInPassage, EntityProperty, Relationship } from "../../ports/graph-store.ts";
import { type AnswerGraphStore, readAnswerGraph } from "./graph-answer.ts";

const PROJECT = "p";

function chunk(versionId: number): RankedChunk {
  const text = `Text ${versionId}.`;
  return {
    ...{ versionId, position: 0, sourceDocId: `doc-${versionId}`, text },
    ...{ start: 0, end: text.length, similarity: 1 / versionId },
  };
}

function property(name: string, value: string, versionId: number): EntityProperty {
  return { property: name, value, chunks: 1, places: [{ versionId, position: 0, start: 0, end: 1 }] };
}

function entity(name: string, more: Partial<Entity> = {}): Entity {
  const base = { type: "Thing", aliases: [], properties: [], chunks: 1, mentions: [] };
  return { ...base, entityId: name, name, keys: [name.toLowerCase()], ...more };
}

function within(entityId: string, versionId: number, key = entityId.toLowerCase()): EntityInPassage {
  return { entityId, versionId, position: 0, type: "Thing", key };
}

/** Like the store, which looks for places only where they are asked for. */
function withoutPlaces(entities: readonly Entity[], withPlaces = false): readonly Entity[] {
  if (withPlaces) return entities;
  return entities.map((each) => ({
    ...each,
    properties: each.properties.map((property) => ({ ...property, places: [] })),
  }));
}

function storeOf({
  entities,
  inChunks,
  relationships = [],
}: {
  readonly entities: readonly Entity[];
  readonly inChunks: readonly EntityInPassage[];
  readonly relationships?: readonly Relationship[];
}): AnswerGraphStore {
  return {
    findEntitiesByKeys: async ({ keys, withPlaces }) =>
      withoutPlaces(entities, withPlaces).filter((each) => each.keys.some((key) => keys.includes(key))),
    findEntitiesIn: async ({ passages }) =>
      inChunks.filter(({ versionId }) => passages.some((passage) => passage.versionId === versionId)),
    readEntities: async ({ entityIds, withPlaces }) =>
      entityIds.flatMap((id) =>
        withoutPlaces(entities, withPlaces).filter(({ entityId }) => entityId === id),
      ),
    findRelationships: async ({ withPlaces = false }) =>
      withPlaces ? relationships : relationships.map((each) => ({ ...each, evidence: [] })),
  };
}

const NO_LINKS = { linked: [], paths: [] };

function ask(store: AnswerGraphStore, chunks: readonly RankedChunk[], isFiltered: boolean) {
  return readAnswerGraph(
    { projectId: PROJECT, ranking: NO_LINKS, chunks, edgeTypes: null, isFiltered },
    store,
  );
}

test("of a filtered question's entities only names and properties are shown that its own chunks have", async () => {
  const ferry = entity("Northern Ferry Company", {
    entityId: "ferry",
    aliases: ["The Ferry"],
    keys: ["ferry", "northern ferry company"],
    properties: [property("colour", "red", 1), property("owner", "Secret Holdings", 2)],
  });
  const store = storeOf({
    entities: [ferry],
    inChunks: [within("ferry", 1, "ferry"), within("ferry", 2, "northern ferry company")],
  });
  const filtered = await ask(store, [chunk(1)], true);
  assert.deepEqual(filtered.entities, [{ type: "Thing", name: "The Ferry", properties: { colour: "red" } }]);
  const whole = await ask(store, [chunk(1)], false);
  assert.deepEqual(whole.entities[0]?.properties, { colour: "red", owner: "Secret Holdings" });
  assert.equal(whole.entities[0]?.name, "Northern Ferry Company");
});

test("an entity of a filtered question without a written form of its own is shown by the chunk's key", async () => {
  const ferry = entity("Northern Ferry Company", {
    entityId: "ferry",
    keys: ["boat", "northern ferry company"],
  });
  const store = storeOf({ entities: [ferry], inChunks: [within("ferry", 1, "boat")] });
  assert.deepEqual(
    (await ask(store, [chunk(1)], true)).entities.map(({ name }) => name),
    ["boat"],
  );
});

test("of a filtered question's relationships only those are shown that its own chunks state", async () => {
  const edge = (type: string, versionId: number): Relationship => ({
    ...{ type, sourceId: "One", targetId: "Two", chunks: 1, confidence: 1 },
    evidence: [
      {
        ...{ versionId, position: 0, start: 0, end: 1, confidence: 1 },
        ...{ extractor: "test", validFrom: null, validTo: null },
      },
    ],
  });
  const store = storeOf({
    entities: [entity("One"), entity("Two")],
    inChunks: [within("One", 1), within("Two", 1)],
    relationships: [edge("OWNS", 1), edge("HIDES", 2)],
  });
  const types = async (isFiltered: boolean) =>
    (await ask(store, [chunk(1)], isFiltered)).relationships.map(({ type }) => type);
  assert.deepEqual(await types(true), ["OWNS"]);
  assert.deepEqual(await types(false), ["OWNS", "HIDES"]);
});

test("entities of the chunks come in the chunks' order, whatever the order of their versions", async () => {
  const store = storeOf({
    entities: [entity("One"), entity("Two"), entity("Nine")],
    inChunks: [within("One", 1), within("Two", 2), within("Nine", 9)],
  });
  const { entities } = await ask(store, [chunk(9), chunk(2), chunk(1)], false);
  assert.deepEqual(
    entities.map(({ name }) => name),
    ["Nine", "Two", "One"],
  );
});
