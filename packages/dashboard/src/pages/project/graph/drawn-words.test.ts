import assert from "node:assert/strict";
import { test } from "node:test";
import { drawnWords } from "./drawn-words.ts";
import type { Scene } from "./scene.ts";

function sceneOf(nodes: number, edges: number): Scene {
  const some = (length: number) => Array.from({ length }, (_, at) => ({ id: String(at) }));
  return { kind: "overview", nodes: some(nodes), edges: some(edges), centre: null } as unknown as Scene;
}

const read = {
  ...{ scene: sceneOf(72, 90), note: "All 72 entities with relationships · as of 1901" },
  ...{ total: 72, isOfDocument: false, when: " · as of 1901" },
};

test("it is said what is drawn of how much, and why not all", () => {
  assert.equal(drawnWords(read, sceneOf(72, 90)), read.note);
  assert.equal(
    drawnWords(read, sceneOf(34, 20)),
    "34 of 72 entities are drawn, 38 hidden by the filter · as of 1901",
  );
  assert.equal(
    drawnWords({ ...read, total: 100, isOfDocument: true }, sceneOf(34, 20)),
    "34 of 72 entities that the document names are drawn, 38 hidden by the filter; 28 less connected ones are not on the map · as of 1901",
  );
  assert.equal(drawnWords(read, sceneOf(72, 50)), `${read.note}; 40 of 90 lines are hidden by the filter`);
});
