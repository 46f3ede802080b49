import assert from "node:assert/strict";
import { test } from "node:test";
import { renamedIn } from "./renamed-in.ts";

const type = (name: string, to: string, members: readonly string[] = []) => ({
  ...{ change: "renamed" as const, name, to, members: [...members] },
});
const changes = (of: Partial<Parameters<typeof renamedIn>[0]>) => ({
  ...{ node_types: [], edge_types: [], corrections: [], ...of },
});

const none = { proposals: 0, fitting_proposals: 0 };

test("a renamed type is told with what it keeps, and whether its texts are read under the new name", () => {
  const nodes = [
    { ...type("Town", "Place"), entities: 18 },
    { ...type("Firm", "Company", ["aliases"]), entities: 1 },
    { ...type("Crew", "Team"), entities: 0 },
    { ...type("Boat", "Boat"), change: "kept" as const, entities: 3 },
  ];
  const edges = [
    { ...type("LIES_IN", "IS_IN", ["target_types"]), relationships: 1, fitting: 1, ...none },
    { ...type("SAILS", "MOVES", ["examples"]), relationships: 2, fitting: 2, ...none },
  ];
  assert.deepEqual(renamedIn(changes({ node_types: nodes, edge_types: edges })), [
    "Town is now called Place: 18 entities keep their place under it.",
    "Firm is now called Company: 1 entity is read again under it.",
    "LIES_IN is now called IS_IN: 1 relationship keeps its place under it.",
    "SAILS is now called MOVES: 2 relationships are read again under it.",
  ]);
});

test("of many renamed types the first are told", () => {
  const many = Array.from({ length: 15 }, (_, at) => ({ ...type(`A${at}`, `B${at}`), entities: 1 }));
  const told = renamedIn(changes({ node_types: many }));
  assert.deepEqual([told.length, told.at(-1)], [13, "3 more types have another name."]);
});
