import assert from "node:assert/strict";
import { test } from "node:test";
import { assertLinear } from "../../../test/support/growth.ts";
import type { CorrectionChange, NamedEntity } from "../correction.ts";
import { parseOntology } from "../ontology-schema.ts";
import { compareOntologies } from "./compare.ts";
import { fitCorrections, typesOfCorrection } from "./correction-fit.ts";

const nodeType = (properties: readonly string[]) => ({ properties, description: "x" });
const schema = parseOntology(
  JSON.stringify({
    ontology: {
      hierarchy: [{ level: 0, node_types: { Ship: nodeType(["tonnage"]), Port: nodeType([]) } }],
      edge_types: [
        {
          ...{ name: "BERTHED_AT", source_types: ["Ship"], target_types: ["Port"] },
          ...{ properties: [], temporal: false, description: "x" },
        },
      ],
    },
  }),
);

function named(type: string, ...also: readonly string[]): NamedEntity {
  return { type, name: "Ilse", also: also.map((other) => ({ type: other, name: "The Ilse" })) };
}

function withoutEffect(
  ...changes: readonly CorrectionChange[]
): readonly (readonly [string, number, number])[] {
  return fitCorrections(schema, changes.map(typesOfCorrection)).map((fit) => [
    fit.kind,
    fit.corrections,
    fit.withoutEffect,
  ]);
}

test("a correction of an entity is without effect where the ontology has the type of none of its names", () => {
  assert.deepEqual(
    withoutEffect(
      { kind: "rename", entity: named("Ship"), name: "Ines" },
      { kind: "rename", entity: named("Boat"), name: "Ines" },
      { kind: "rename", entity: named("Boat", "Ship"), name: "Ines" },
    ),
    [["rename", 3, 1]],
  );
  const retyped: CorrectionChange = { kind: "retype", entity: named("Ship"), type: "Boat" };
  assert.deepEqual(withoutEffect(retyped, { kind: "rename", entity: named("Boat"), name: "Ines" }), [
    ["retype", 1, 1],
    ["rename", 1, 1],
  ]);
});

test("a name that a type had before one of the last moves counts where the ontology has it", () => {
  const correction = typesOfCorrection({ kind: "rename", entity: named("Boat"), name: "Ines" });
  const renamed = { nodes: [{ given: "Boat", now: "Boat", before: ["Ship", "Boat"] }], edges: [] };
  assert.equal(fitCorrections(schema, [{ ...correction, renamed }])[0]?.withoutEffect, 0);
});

test("a relationship needs its type and its ends, and a property the type that has it", () => {
  const fact = (type: string, source: NamedEntity, target: NamedEntity): CorrectionChange => {
    return { kind: "add_relationship", type, source, target };
  };
  assert.deepEqual(
    withoutEffect(
      fact("BERTHED_AT", named("Ship"), named("Port")),
      fact("BERTHED_AT", named("Port"), named("Ship")),
      fact("MOORED_IN", named("Ship"), named("Port")),
      { kind: "add_property", entity: named("Ship"), property: "tonnage", value: "3" },
      { kind: "add_property", entity: named("Port"), property: "tonnage", value: "3" },
    ),
    [
      ["add_relationship", 3, 2],
      ["add_property", 2, 1],
    ],
  );
});

test("a confirmed proposal needs the types that it names and those that its ends are taken for", () => {
  const confirmed = (source: string, sourceType: string): CorrectionChange => ({
    ...{ kind: "confirm", type: "BERTHED_AT", source: named(source), target: named("Port") },
    ...{ document: null, sentence: null, sourceType },
  });
  const changes = [confirmed("Ship", "Ship"), confirmed("Ship", "Boat"), confirmed("Boat", "Ship")];
  assert.deepEqual(withoutEffect(...changes), [["confirm", 3, 2]]);
});

/** An ontology of as many types and edge types, and verdicts whose ends have names of as many types; the last pair fits. */
function wide(size: number) {
  const types = Array.from({ length: size }, (_, at) => `Type${at}`);
  const edge = (at: number) => ({
    name: `E${at}`,
    source_types: types.slice(-1),
    target_types: types.slice(-1),
  });
  const text = JSON.stringify({
    ontology: {
      hierarchy: [{ level: 0, node_types: Object.fromEntries(types.map((type) => [type, {}])) }],
      edge_types: types.map((_, at) => edge(at)),
    },
  });
  const [first = "", ...rest] = types;
  const ends = { source: named(first, ...rest), target: named(first, ...rest) };
  const verdict: CorrectionChange = {
    ...{ kind: "reject", ...ends, type: `E${size - 1}`, document: null, sentence: null },
  };
  const facts = types.map((_, at) => ({
    ...{ type: `E${at}`, sourceType: `Type${size - 1}`, targetType: `Type${size - 1}`, count: 1 },
  }));
  return { schema: parseOntology(text), corrections: [typesOfCorrection(verdict)], facts };
}

test("corrections and facts of a graph are compared in time that grows with the types that they name", async () => {
  const [small, large] = [wide(100), wide(400)];
  const inputOf = (size: number) => (size === 100 ? small : large);
  await assertLinear("corrections", 100, (size) => {
    const input = inputOf(size);
    assert.equal(fitCorrections(input.schema, input.corrections)[0]?.withoutEffect, 0);
  });
  const [few, many] = [wide(500), wide(2_000)];
  const none = parseOntology("{}");
  await assertLinear("facts", 500, (size) => {
    const { schema: after, facts } = size === 500 ? few : many;
    const relationships = Array.from({ length: 20 }, () => facts).flat();
    const entities = [{ type: `Type${size - 1}`, count: 1 }];
    const { edgeTypes } = compareOntologies(none, after, {
      ...{ entities, relationships, proposals: relationships, corrections: [] },
    });
    assert.ok(edgeTypes.every(({ fitting, fittingProposals }) => fitting === 20 && fittingProposals === 20));
  });
});
