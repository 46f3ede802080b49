import assert from "node:assert/strict";
import { test } from "node:test";
import type { OntologyChanges } from "@kcs/sdk";
import { lostWords, readingWords } from "./move-words.ts";

const node = (name: string, change: "kept" | "dropped", entities: number) => ({
  ...{ change, name, to: change === "kept" ? name : null, members: [], entities },
});
const edge = (
  name: string,
  [relationships, fitting]: readonly number[],
  [proposals, fits]: readonly number[],
) => ({
  ...{ change: "kept" as const, name, to: name, members: [] },
  ...{ relationships, fitting, proposals, fitting_proposals: fits },
});
const changes = {
  node_types: [node("Person", "kept", 7), node("Thing", "dropped", 1), node("Place", "dropped", 4)],
  edge_types: [edge("FOUNDED_BY", [3, 1], [2, 2]), edge("KNOWS", [5, 5], [1_200, 0])],
  corrections: [],
} as unknown as OntologyChanges;

test("what does not fit is counted by type, the most frequent first", () => {
  assert.deepEqual(lostWords(changes), [
    "5 of 12 entities: 4 Place, 1 Thing",
    "2 of 8 relationships: 2 founded by",
    "1,200 of 1,202 proposed relationships: 1,200 knows",
  ]);
  const many = Array.from({ length: 10 }, (_, at) => node(`T${at}`, "dropped", 1));
  assert.deepEqual(lostWords({ ...changes, node_types: many, edge_types: [] }), [
    "10 of 10 entities: 1 T0, 1 T1, 1 T2, 1 T3, 1 T4, 1 T5, 1 T6, 1 T7, and of 2 more types",
  ]);
  assert.deepEqual(lostWords({ ...changes, node_types: [], edge_types: [] }), []);
});

test("it is said why what fits may be read in another way", () => {
  assert.match(readingWords(changes, true) ?? "", /more than this can leave the graph/);
  assert.equal(readingWords(changes, false), null);
  const described = { ...node("Person", "kept", 7), members: ["description"] };
  assert.match(readingWords({ ...changes, node_types: [described] }, false) ?? "", /^Person differs in more/);
});
