import assert from "node:assert/strict";
import { test } from "node:test";
import { isPoor } from "./poor-graph.ts";

test("a graph is poor where few of many entities have relationships", () => {
  assert.ok(isPoor({ total: 10, alone: 208 }));
  assert.ok(!isPoor({ total: 7, alone: 2 }), "most have some");
  assert.ok(!isPoor({ total: 1, alone: 9 }), "there are too few to tell");
  assert.ok(!isPoor({ total: null, alone: 0 }), "nobody has counted");
  assert.ok(!isPoor({ total: 300, alone: 0 }), "they are not counted of a part");
});
