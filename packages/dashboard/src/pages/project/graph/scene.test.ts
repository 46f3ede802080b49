import assert from "node:assert/strict";
import { test } from "node:test";
import type { EntityDetail, EvidencedRelationship } from "@kcs/sdk";
import { layOutScene } from "./radial-layout.ts";
import {
  countTypes,
  filterScene,
  isMutual,
  linkTypesOf,
  maxNeighbours,
  mentionedTogether,
  sceneAround,
  sceneOfOverview,
  sceneOfPath,
  withoutHidden,
} from "./scene.ts";

const end = (id: string) => ({ entity_id: id, name: id.toUpperCase(), type: id < "m" ? "Person" : "Place" });

function relate(source: string, type: string, target: string): EvidencedRelationship {
  return {
    relationship_id: `${source}.${target}.${type}`,
    ...{ type, source: end(source), target: end(target), chunks: 1, confidence: 1 },
    ...{ valid_from: null, valid_to: null, evidence: [] },
  };
}

function detail(id: string, relationships: readonly EvidencedRelationship[], near: readonly string[] = []) {
  const associations = near.map((other) => ({ entity: end(other), strength: 1, chunks: 1, evidence: [] }));
  const entity: EntityDetail = {
    ...{ ...end(id), aliases: [], properties: {}, chunks: 1, evidence: [] },
    ...{ relationships, associations, history: [] },
  };
  return entity;
}

const idsOf = (nodes: readonly { readonly id: string }[]) => nodes.map(({ id }) => id).sort();

test("all relationships of two entities are one line with their types", () => {
  const scene = sceneOfOverview({
    entities: ["a", "z"].map((id) => ({ ...end(id), degree: 2 })),
    relationships: [
      { relationship_id: "1", type: "BORN_IN", source: "a", target: "z", chunks: 2 },
      { relationship_id: "2", type: "NAMED", source: "z", target: "a", chunks: 1 },
      { relationship_id: "3", type: "SELF", source: "a", target: "a", chunks: 1 },
    ],
    connected_entities: 2,
    total_relationships: 3,
    is_complete: true,
  });
  assert.deepEqual(scene.edges, [
    {
      id: "a z",
      source: "a",
      target: "z",
      types: ["BORN_IN", "NAMED"],
      there: ["BORN_IN"],
      back: ["NAMED"],
      chunks: 3,
    },
  ]);
});

test("a neighbourhood has what the entity is related to and mentioned together with, and those of expanded ones", () => {
  const born = relate("a", "BORN_IN", "z");
  const around = sceneAround([detail("a", [born], ["b"])]);
  assert.deepEqual([around.centre, idsOf(around.nodes)], ["a", ["a", "b", "z"]]);
  assert.deepEqual(
    around.edges.map(({ id, types }) => [id, types]),
    [
      ["a z", ["BORN_IN"]],
      ["a b", []],
    ],
  );
  const expanded = sceneAround([
    detail("a", [born]),
    detail("z", [born, relate("c", "BORN_IN", "z")], ["y"]),
  ]);
  assert.deepEqual(idsOf(expanded.nodes), ["a", "c", "z"]);
  // Expanded in an earlier neighbourhood, and not part of this one.
  assert.deepEqual(idsOf(sceneAround([detail("a", [born]), detail("q", [])]).nodes), ["a", "z"]);
});

test("an entity with too many relationships is drawn with the first of them", () => {
  const many = Array.from({ length: maxNeighbours.centre + 5 }, (_, at) => relate("a", "KNOWS", `b${at}`));
  assert.equal(sceneAround([detail("a", many)]).nodes.length, maxNeighbours.centre + 1);
});

test("a path is in its order, whatever the directions", () => {
  const scene = sceneOfPath("a", [relate("a", "BORN_IN", "z"), relate("c", "BORN_IN", "z")]);
  assert.deepEqual(
    scene.nodes.map(({ id }) => id),
    ["a", "z", "c"],
  );
  const positions = layOutScene(scene);
  const across = scene.nodes.map(({ id }) => positions.get(id)?.x ?? 0);
  assert.deepEqual(
    across,
    across.toSorted((one, other) => one - other),
  );
});

test("a filter hides types of entities, and of relationships with the entities that have no other; never the chosen entity", () => {
  const scene = sceneAround([detail("a", [relate("a", "BORN_IN", "z"), relate("a", "KNOWS", "b")])]);
  const withoutPeople = filterScene(scene, { types: new Set(["Person"]), links: new Set() });
  assert.deepEqual(idsOf(withoutPeople.nodes), ["a", "z"]);
  assert.deepEqual(idsOf(withoutPeople.edges), ["a z"]);
  const withoutBirths = filterScene(scene, { types: new Set(), links: new Set(["BORN_IN"]) });
  assert.deepEqual([idsOf(withoutBirths.nodes), idsOf(withoutBirths.edges)], [["a", "b"], ["a b"]]);
  const alone = filterScene(scene, { types: new Set(), links: new Set(["BORN_IN", "KNOWS"]) });
  assert.deepEqual(idsOf(alone.nodes), ["a"]);
  assert.deepEqual(countTypes(["b", "a", "b", "c"]), [
    { type: "b", count: 2 },
    { type: "a", count: 1 },
    { type: "c", count: 1 },
  ]);
});

test("a line has the direction of the relationships that a filter leaves of it", () => {
  const both = sceneAround([detail("a", [relate("a", "WROTE", "z"), relate("z", "MADE_BY", "a")])]);
  const left = (...links: string[]) =>
    filterScene(both, { types: new Set(), links: new Set(links) }).edges.map((edge) => [
      ...[edge.id, edge.source, edge.target, edge.types.join()],
      isMutual(edge),
    ]);
  assert.deepEqual(left("OTHER"), [["a z", "a", "z", "WROTE,MADE_BY", true]]);
  assert.deepEqual(left("MADE_BY"), [["a z", "a", "z", "WROTE", false]]);
  assert.deepEqual(left("WROTE"), [["a z", "z", "a", "MADE_BY", false]]);
});

test("lines between what is only mentioned together are hidden as a type of relationship is", () => {
  const scene = sceneAround([detail("a", [relate("a", "KNOWS", "b")], ["c"])]);
  assert.deepEqual(linkTypesOf(scene), ["KNOWS", mentionedTogether]);
  const only = filterScene(scene, { types: new Set(), links: new Set([mentionedTogether]) });
  assert.deepEqual([idsOf(only.nodes), idsOf(only.edges)], [["a", "b"], ["a b"]]);
});

test("the list of an entity's relationships leaves out what the filter hides, never for the chosen entity's own type", () => {
  const all = [relate("a", "KNOWS", "b"), relate("a", "BORN_IN", "z"), relate("y", "NAMED", "a")];
  const left = (types: string[], links: string[] = []) =>
    withoutHidden(all, { entityId: "a", hidden: { types: new Set(types), links: new Set(links) } }).map(
      ({ type }) => type,
    );
  assert.deepEqual(left(["Place"]), ["KNOWS"]);
  assert.deepEqual(left(["Person"]), ["BORN_IN", "NAMED"]);
  assert.deepEqual(left([], ["NAMED"]), ["KNOWS", "BORN_IN"]);
});

test("in a neighbourhood nobody stands on another, and those of one type stand side by side", () => {
  const types = ["KNOWS", "BORN_IN", "KNOWS", "BORN_IN", "KNOWS", "BORN_IN"];
  const others = types.map((type, at) => relate("a", type, `b${at}`));
  const more = Array.from({ length: 12 }, (_, at) => relate("b1", "KNOWS", `c${at}`));
  const scene = sceneAround([detail("a", others), detail("b1", more)]);
  const positions = [...layOutScene(scene)];
  for (const [one, { x, y }] of positions)
    for (const [other, place] of positions)
      if (one !== other) assert.ok(Math.hypot(x - place.x, y - place.y) > 30, `${one} ${other}`);
  const [, centre] = positions.find(([id]) => id === "a") ?? [];
  assert.deepEqual([centre?.x, Math.abs(centre?.y ?? 1)], [0, 0]);
  const angleOf = (id: string) => {
    const { x, y } = layOutScene(scene).get(id) ?? { x: 0, y: 0 };
    return (Math.atan2(-y, x) + 2 * Math.PI) % (2 * Math.PI);
  };
  const order = types
    .map((type, at) => ({ type, angle: angleOf(`b${at}`) }))
    .toSorted((one, other) => one.angle - other.angle);
  assert.deepEqual(
    order.map(({ type }) => type),
    ["BORN_IN", "BORN_IN", "BORN_IN", "KNOWS", "KNOWS", "KNOWS"],
  );
});
