import assert from "node:assert/strict";
import { test } from "node:test";
import { boundHubs, maxDrawnNeighbours } from "./bound-hubs.ts";

/** A hub with as many leaves, the first few of which have a leaf of their own. */
function hubOf(leaves: number, forked: number) {
  const lines = Array.from({ length: leaves }, (_, at) => ["hub", `leaf ${at}`] as const);
  const further = Array.from({ length: forked }, (_, at) => [`leaf ${at}`, `far ${at}`] as const);
  const relationships = [...lines, ...further].map(([source, target], at) => ({
    ...{ relationship_id: String(at), source, target, type: "KNOWS", chunks: at + 1 },
  }));
  const ids = [...new Set(relationships.flatMap(({ source, target }) => [source, target]))];
  const degreeOf = (id: string) =>
    relationships.filter((each) => each.source === id || each.target === id).length;
  return {
    entities: ids.map((id) => ({ entity_id: id, name: id, type: "Person", degree: degreeOf(id) })),
    relationships,
  };
}

test("of a hub the best connected and best stated neighbours stay, and what hangs on them", () => {
  const part = boundHubs(hubOf(60, 5));
  const neighbours = part.relationships.flatMap(({ source, target }) => (source === "hub" ? [target] : []));
  assert.equal(neighbours.length, maxDrawnNeighbours);
  assert.deepEqual(neighbours.slice(0, 5), ["leaf 0", "leaf 1", "leaf 2", "leaf 3", "leaf 4"]);
  assert.deepEqual(neighbours.at(-1), "leaf 59");
  assert.equal(part.entities.length, 1 + maxDrawnNeighbours + 5);
});

test("each beginning of what is left hangs together", () => {
  const { entities, relationships } = boundHubs(hubOf(60, 30));
  const seen = new Set<string>();
  for (const { entity_id: id } of entities) {
    const isJoined = relationships.some(
      ({ source, target }) => (source === id && seen.has(target)) || (target === id && seen.has(source)),
    );
    if (!isJoined) assert.ok(seen.size === 0 || seen.size >= 1 + 2 * maxDrawnNeighbours, id);
    seen.add(id);
  }
});

test("a graph without hubs stays as it is", () => {
  const part = hubOf(maxDrawnNeighbours, 3);
  assert.equal(boundHubs(part), part);
});
