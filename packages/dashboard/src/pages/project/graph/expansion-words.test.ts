import assert from "node:assert/strict";
import { test } from "node:test";
import { expansionWords } from "./expansion-words.ts";
import type { Scene } from "./scene.ts";

const none = { types: new Set<string>(), links: new Set<string>() };

function sceneOf(nodes: readonly string[], pairs: readonly (readonly [string, string])[]): Scene {
  return {
    ...{ kind: "around", centre: nodes[0] ?? null },
    nodes: nodes.map((id) => ({ id, name: id, type: id < "m" ? "Person" : "Place", degree: 1 })),
    edges: pairs.map(([source, target]) => ({
      ...{
        id: `${source} ${target}`,
        source,
        target,
        types: ["KNOWS"],
        there: ["KNOWS"],
        back: [],
        chunks: 1,
      },
    })),
  };
}

const small = sceneOf(["a", "b", "c"], [["a", "b"]]);
const words = (after: Scene, relationships = 2, hidden = none) =>
  expansionWords({ name: "Ada", relationships, before: small, after }, hidden);

test("an expansion that adds entities shows itself; one that adds none says so, with the lines that it adds", () => {
  assert.equal(words(sceneOf(["a", "b", "c", "d"], [["a", "b"]])), "");
  assert.equal(words(small), "All neighbours of Ada are drawn already.");
  assert.equal(
    words(small, 17),
    "The neighbours of the 16 best supported relationships of Ada are drawn already.",
  );
  const pairs = [
    ["a", "b"],
    ["b", "c"],
    ["a", "c"],
  ] as const;
  assert.equal(
    words(sceneOf(["a", "b", "c"], pairs.slice(0, 2))),
    "All neighbours of Ada are drawn already; 1 line was added.",
  );
  assert.match(words(sceneOf(["a", "b", "c"], pairs)), /; 2 lines were added\.$/);
  assert.equal(expansionWords(null, none), "");
});

test("what the filter hides counts as not drawn, and is said to be hidden", () => {
  const hidden = { ...none, types: new Set(["Place"]) };
  assert.equal(
    words(sceneOf(["a", "b", "c", "x"], [["a", "b"]]), 2, hidden),
    "All neighbours of Ada are drawn already or hidden by the filter.",
  );
});
