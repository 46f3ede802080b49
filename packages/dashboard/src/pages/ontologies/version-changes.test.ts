import assert from "node:assert/strict";
import { test } from "node:test";
import type { OntologyDiff } from "@kcs/sdk";
import { wordChanges } from "./version-changes.ts";

type Change = OntologyDiff["node_types"][number];

function schemaOf(nodes: object, edges: readonly object[] = []) {
  return { ontology: { hierarchy: [{ level: 0, node_types: nodes }], edge_types: edges } };
}

function diffOf(nodes: readonly Change[], edges: readonly Change[] = []): OntologyDiff {
  return { before: 1, after: 2, node_types: nodes, edge_types: edges };
}

test("added and removed types are described by what they were", () => {
  const steers = { name: "STEERS", source_types: ["Skipper"], target_types: ["Barge", "Tug"] };
  const worded = wordChanges(
    diffOf(
      [
        { change: "added", name: null, to: "Lock", members: [] },
        { change: "dropped", name: "Tug", to: null, members: [] },
      ],
      [{ change: "dropped", name: "STEERS", to: null, members: [] }],
    ),
    {
      before: schemaOf({ Tug: {}, Barge: {} }, [steers]),
      after: schemaOf({ Barge: {}, Lock: { description: "Lifts ships", properties: ["height"] } }),
    },
  );
  assert.deepEqual(worded, {
    nodeTypes: [
      { kind: "added", name: "Lock", details: ["Lifts ships", "Properties: height"] },
      { kind: "removed", name: "Tug", details: [] },
    ],
    edgeTypes: [{ kind: "removed", name: "STEERS", details: ["Skipper → Barge, Tug"] }],
  });
});

test("each member that differs is said with what it was and is", () => {
  const before = { description: "A boat", properties: ["length", "flag"], aliases: ["boat"] };
  const after = { description: "A flat boat", properties: ["length", "draught"], aliases: ["boat"] };
  const members = ["description", "properties"];
  const [changed] = wordChanges(diffOf([{ change: "changed", name: "Barge", to: "Barge", members }]), {
    before: schemaOf({ Barge: before }),
    after: schemaOf({ Barge: after }),
  }).nodeTypes;
  assert.deepEqual(changed?.details, [
    "Description: “A flat boat” instead of “A boat”",
    "Properties: added draught; removed flag",
  ]);
});

test("a renamed type says its former name, and an edge type what joins whom and when", () => {
  const example = { source: "Ida", target: "Ilse", text: "" };
  const before = { name: "STEERS", source_types: ["Skipper"], target_types: ["Barge"], functional: true };
  const after = {
    ...{ name: "COMMANDS", source_types: ["Skipper", "Mate"], target_types: ["Barge"] },
    ...{ temporal: true, functional: false, examples: [example, "Bo ran it."] },
  };
  const members = ["source_types", "temporal", "functional", "examples"];
  const [renamed] = wordChanges(
    diffOf([], [{ change: "renamed", name: "STEERS", to: "COMMANDS", members }]),
    {
      before: schemaOf({}, [before]),
      after: schemaOf({}, [after]),
    },
  ).edgeTypes;
  assert.deepEqual(renamed?.details, [
    "It was called STEERS.",
    "From: added Mate",
    "It is temporal now",
    "It no longer has one target at a time",
    "Examples: added Ida – Ilse, Bo ran it.",
  ]);
});

test("a long list is shortened, and one in another order is said to be written in another way", () => {
  const names = Array.from({ length: 20 }, (_, at) => `p${at}`);
  const word = (before: readonly string[], after: readonly string[]) =>
    wordChanges(diffOf([{ change: "changed", name: "Barge", to: "Barge", members: ["properties"] }]), {
      before: schemaOf({ Barge: { properties: before } }),
      after: schemaOf({ Barge: { properties: after } }),
    }).nodeTypes[0]?.details[0];
  assert.equal(word([], names), `Properties: added ${names.slice(0, 12).join(", ")} and 8 more`);
  assert.equal(word(["a", "b"], ["b", "a"]), "Properties: written in another way");
});
