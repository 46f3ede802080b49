import assert from "node:assert/strict";
import { test } from "node:test";
import type { RankedChunk } from "../../domain/query.ts";
import type { Entity, EntityInPassage, EntityProperty, Relationship } from "../../ports/graph-store.ts";
import { type AnswerGraphStore, readAnswerGraph } from "./graph-answer.ts";
import type { NameRelevance } from "./name-relevance.ts";

const PROJECT = "p";

function chunk(versionId: number): RankedChunk {
  const text = `Text ${versionId}.`;
  return {
    versionId,
    position: 0,
    sourceDocId: `doc-${versionId}`,
    text,
    start: 0,
    end: text.length,
    similarity: 1 / versionId,
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

/** Like the store, which returns places only on request. */
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

function relevanceBy(of: (key: string) => number, edgeType = ""): NameRelevance {
  return { of: ({ key }) => of(key), asksFor: (type) => type === edgeType };
}

function ask(
  store: AnswerGraphStore,
  chunks: readonly RankedChunk[],
  isFiltered: boolean,
  relevance: NameRelevance = relevanceBy(() => 1),
) {
  return readAnswerGraph(
    { projectId: PROJECT, ranking: NO_LINKS, chunks, edgeTypes: null, isFiltered, relevance },
    store,
  );
}

test("entities of a filtered question have only the names and properties that its chunks state", async () => {
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
  const unfiltered = await ask(store, [chunk(1)], false);
  assert.deepEqual(unfiltered.entities[0]?.properties, { colour: "red", owner: "Secret Holdings" });
  assert.equal(unfiltered.entities[0]?.name, "Northern Ferry Company");
});

test("an entity of a filtered question without a matching form is named by the key in the chunk", async () => {
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

test("a filtered question has only the relationships that its chunks state", async () => {
  const edge = (type: string, versionId: number): Relationship => ({
    type,
    sourceId: "One",
    targetId: "Two",
    chunks: 1,
    confidence: 1,
    evidence: [
      {
        versionId,
        position: 0,
        start: 0,
        end: 1,
        confidence: 1,
        extractor: "test",
        validFrom: null,
        validTo: null,
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

test("entities of the chunks come in the order of the chunks, not in that of their versions", async () => {
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

test("irrelevant entities of the chunks are left out, the others are ordered by relevance", async () => {
  const store = storeOf({
    entities: [entity("One"), entity("Two"), entity("Three")],
    inChunks: [within("One", 1), within("Two", 1), within("Three", 1)],
  });
  const values: Readonly<Record<string, number>> = { one: 0.7, two: 0.3, three: 1 };
  const { entities } = await ask(
    store,
    [chunk(1)],
    false,
    relevanceBy((key) => values[key] ?? 0),
  );
  assert.deepEqual(
    entities.map(({ name }) => name),
    ["Three", "One"],
  );
});

test("a name on a path is included if the path leads to the first chunks or the name is relevant", async () => {
  const store = storeOf({
    entities: ["Near", "Far", "Best", "First"].map((name) => entity(name)),
    inChunks: [],
  });
  const chunks = [1, 2, 3, 4].map(chunk);
  const path = (name: string, versionId: number, score: number) => ({
    name,
    score,
    seed: { versionId: 1, position: 0 },
    target: { versionId, position: 0 },
    sentence: { start: 0, end: 1 },
  });
  const paths = [path("near", 4, 0.2), path("far", 3, 0.9), path("best", 1, 0.8), path("first", 2, 1)];
  const ranking = { linked: [], paths };
  const { entities } = await readAnswerGraph(
    {
      projectId: PROJECT,
      ranking,
      chunks,
      edgeTypes: null,
      isFiltered: false,
      relevance: relevanceBy((key) => (key === "near" ? 0.9 : 0.1)),
    },
    store,
  );
  assert.deepEqual(
    entities.map(({ name }) => name),
    ["First", "Best", "Near"],
  );
});

test("an entity that an edge joins with a name of the question is included if the question asks for such edges", async () => {
  const edge = (type: string, targetId: string): Relationship => ({
    type,
    sourceId: "Boat",
    targetId,
    chunks: 1,
    confidence: 1,
    evidence: [],
  });
  const store = storeOf({
    entities: [entity("Boat"), entity("Wharf"), entity("Captain"), entity("Owner")],
    inChunks: [within("Wharf", 1), within("Captain", 1), within("Owner", 1)],
    relationships: [edge("MOORED_AT", "Wharf"), edge("COMMANDED_BY", "Captain"), edge("OWNED_BY", "Owner")],
  });
  const about = { documents: 1, passages: [], isSynonym: false };
  const boat = { name: "boat", start: 0, end: 4, isUncertain: false, about };
  const { entities, relationships } = await readAnswerGraph(
    {
      projectId: PROJECT,
      chunks: [chunk(1)],
      edgeTypes: null,
      isFiltered: false,
      ranking: { linked: [boat], paths: [] },
      relevance: relevanceBy((key) => (key === "captain" ? 0.4 : 0.1), "MOORED_AT"),
    },
    store,
  );
  assert.deepEqual(
    entities.map(({ name }) => name),
    ["Boat", "Captain", "Wharf"],
  );
  assert.deepEqual(
    relationships.map(({ type }) => type),
    ["COMMANDED_BY", "MOORED_AT"],
  );
});

test("what a person has joined with a name of the question is included, unless a filter leaves out other documents", async () => {
  const edge = (type: string, targetId: string, isConfirmed: boolean): Relationship => {
    const base = { sourceId: "Boat", chunks: 1, confidence: 1, evidence: [] };
    return { ...base, type, targetId, isConfirmed };
  };
  const store = storeOf({
    entities: [entity("Boat"), entity("Wharf"), entity("Owner"), entity("Skipper"), entity("Cook")],
    inChunks: [within("Boat", 1), within("Wharf", 1)],
    relationships: [
      edge("FEEDS", "Cook", true),
      edge("STEERED_BY", "Skipper", true),
      edge("OWNED_BY", "Owner", false),
    ],
  });
  const about = { documents: 1, passages: [], isSynonym: false };
  const ranking = {
    linked: [{ name: "boat", start: 0, end: 4, isUncertain: false, about }],
    paths: [],
  };
  const answer = (isFiltered: boolean) =>
    readAnswerGraph(
      {
        projectId: PROJECT,
        chunks: [chunk(1)],
        edgeTypes: new Set(["OWNED_BY"]),
        isFiltered,
        ranking,
        relevance: relevanceBy(() => 1, "STEERED_BY"),
      },
      store,
    );
  const { entities, relationships } = await answer(false);
  assert.deepEqual(
    entities.map(({ name }) => name),
    ["Boat", "Skipper", "Cook", "Wharf"],
  );
  assert.deepEqual(
    relationships.map(({ type }) => type),
    ["STEERED_BY", "FEEDS"],
  );
  assert.deepEqual(
    (await answer(true)).entities.map(({ name }) => name),
    ["Boat", "Wharf"],
  );
});
