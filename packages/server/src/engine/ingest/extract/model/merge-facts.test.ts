import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChunkFacts, EntityKey } from "../../../../domain/graph.ts";
import { mergeFacts } from "./merge-facts.ts";
import { SCHEMA } from "./test-chunk.ts";

const place = { start: 0, end: 4 };

function factsOf(
  entities: readonly EntityKey[],
  edges: readonly (readonly [EntityKey, string, EntityKey])[] = [],
  more: Partial<ChunkFacts> = {},
): ChunkFacts {
  return {
    entities: entities.map((entity) => ({ ...entity, name: entity.key, confidence: 0.5, ...place })),
    relationships: edges.map(([source, type, target]) => ({
      ...{ source, type, target, ...place },
      ...{ confidence: 0.5, extractor: "built", validFrom: null, validTo: null },
    })),
    ...{ properties: [], aliases: [], candidates: [], unfit: [] },
    ...more,
  };
}

const ida = { type: "Person", key: "ida" };
const oslo = { type: "City", key: "oslo" };
const firm = { type: "Company", key: "ida" };

function triples({ relationships }: ChunkFacts): readonly string[] {
  return relationships.map(
    ({ source, type, target }) => `${source.type} ${source.key} ${type} ${target.type} ${target.key}`,
  );
}

test("what both state is there once, and what either states alone as well", () => {
  const model = factsOf([ida, oslo], [[ida, "BORN_IN", oslo]]);
  const bergen = { type: "City", key: "bergen" };
  const builtIn = factsOf(
    [ida, bergen],
    [
      [ida, "BORN_IN", oslo],
      [ida, "BORN_IN", bergen],
    ],
  );
  const merged = mergeFacts(model, builtIn, SCHEMA);
  assert.deepEqual(merged.entities.map(({ key }) => key).sort(), ["bergen", "ida", "oslo"]);
  assert.deepEqual(triples(merged), ["Person ida BORN_IN City oslo", "Person ida BORN_IN City bergen"]);
});

test("a proposal takes the types of the model, and goes where these no longer fit", () => {
  const propose = (source: EntityKey) => ({
    ...{ source, type: "BORN_IN", target: oslo, sourceName: "Ida", targetName: "Oslo", ...place },
    ...{ confidence: 0.5, extractor: "built", validFrom: null, validTo: null },
  });
  const ana = { type: "Person", key: "ana" };
  const proposals = [propose(ida), propose(ana)];
  const merged = mergeFacts(factsOf([firm]), factsOf([ida, ana], [], { proposals }), SCHEMA);
  assert.deepEqual(merged.proposals, [propose(ana)]);
  assert.deepEqual(triples(merged), []);
});

test("a name that the model takes for something else is that for both, and what no longer fits goes", () => {
  const model = factsOf([firm]);
  const property = { entity: ida, property: "birth_date", value: "1990", ...place };
  const member = { parent: { type: "Region", key: "north" }, member: ida, ...place };
  const builtIn = factsOf([ida, oslo], [[ida, "BORN_IN", oslo]], {
    properties: [property],
    members: [member],
  });
  const merged = mergeFacts(model, builtIn, SCHEMA);
  assert.deepEqual(
    merged.entities.map(({ type, key }) => `${type} ${key}`),
    ["Company ida", "City oslo"],
  );
  assert.deepEqual([triples(merged), merged.properties, merged.members], [[], [], []]);
  const unbound = mergeFacts(model, builtIn, null);
  assert.deepEqual(triples(unbound), ["Company ida BORN_IN City oslo"]);
});

test("a name that the model takes for two things may stay what the built-in engine takes it for", () => {
  const merged = mergeFacts(factsOf([firm, ida]), factsOf([ida]), SCHEMA);
  assert.deepEqual(merged.entities.map(({ type }) => type).sort(), ["Company", "Person"]);
});

test("a relationship of both is as sure as the surer, with the times of either", () => {
  const model = factsOf([ida, oslo], [[ida, "BORN_IN", oslo]]);
  const [edge] = model.relationships;
  assert.ok(edge !== undefined);
  const builtIn = { ...model, relationships: [{ ...edge, confidence: 0.95, validFrom: "1990" }] };
  const [joined] = mergeFacts(model, builtIn, SCHEMA).relationships;
  assert.deepEqual([joined?.confidence, joined?.validFrom], [0.95, "1990"]);
});

test("counts of what did not fit are summed", () => {
  const unfit = [
    { kind: "entity", sourceType: "", name: "Planet", targetType: "", count: 2, example: "x" },
  ] as const;
  const [counted] = mergeFacts(factsOf([], [], { unfit }), factsOf([], [], { unfit }), SCHEMA).unfit;
  assert.equal(counted?.count, 4);
});

test("when a relationship is known to hold, the built-in engine says of those that it read", () => {
  const facts = (knownAt: string | null, times: { validFrom?: string; validTo?: string } = {}) => {
    const [edge] = factsOf([ida, oslo], [[ida, "BORN_IN", oslo]]).relationships;
    const timing = { knownAt, isFunctional: true };
    return { ...factsOf([ida, oslo]), relationships: [{ ...edge!, ...times, timing }] };
  };
  const none = factsOf([ida, oslo]);
  const untimed = factsOf([ida, oslo], [[ida, "BORN_IN", oslo]]);
  const knownAt = (model: ChunkFacts, builtIn: ChunkFacts) =>
    mergeFacts(model, builtIn, SCHEMA).relationships[0]?.timing?.knownAt;
  assert.equal(knownAt(facts("2020"), facts(null)), null);
  assert.equal(knownAt(facts(null), facts("2020")), "2020");
  assert.equal(knownAt(facts("2020"), none), "2020");
  assert.equal(knownAt(facts("2020"), untimed), "2020");
  assert.equal(knownAt(none, facts(null)), null);
  const boundsOf = (model: ChunkFacts, builtIn: ChunkFacts) => {
    const [edge] = mergeFacts(model, builtIn, SCHEMA).relationships;
    return [edge?.validFrom, edge?.validTo];
  };
  assert.deepEqual(boundsOf(facts(null, { validFrom: "2001" }), facts(null, { validTo: "2005" })), [
    "2001",
    "2005",
  ]);
  assert.deepEqual(boundsOf(facts(null, { validFrom: "2005-03" }), facts(null, { validTo: "2005" })), [
    "2005-03",
    "2005",
  ]);
  assert.deepEqual(boundsOf(facts(null, { validFrom: "2006" }), facts(null, { validTo: "2005" })), [
    null,
    null,
  ]);
});
