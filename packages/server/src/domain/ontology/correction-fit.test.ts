import assert from "node:assert/strict";
import { test } from "node:test";
import type { CorrectionChange, NamedEntity } from "../correction.ts";
import { parseOntology } from "../ontology-schema.ts";
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
    ["retype", 1, 0],
    ["rename", 1, 0],
  ]);
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
