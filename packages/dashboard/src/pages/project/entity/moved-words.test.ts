import assert from "node:assert/strict";
import { test } from "node:test";
import type { Proposal } from "@kcs/sdk";
import { maxCompared, movedWords } from "./moved-words.ts";

const proposed = (name: string, confidence = 0.7): Proposal => ({
  source: { entity_id: null, type: "Person", name, confirmed_type: "Person", same_name: [] },
  type: "TENDS",
  target: { entity_id: null, type: "Mill", name: "Elm Mill", confirmed_type: "Mill", same_name: [] },
  ...{ confidence, valid_from: null, valid_to: null, evidence: [], chunks: 1 },
});
const [ada, jon, ilse] = [proposed("Ada"), proposed("Jon"), proposed("Ilse")];

test("others that a verdict moves are counted and named, by what is proposed before and after", () => {
  assert.deepEqual(movedWords(ada, [ada, jon], [jon]), { also: "", list: [] });
  assert.deepEqual(movedWords(ada, [ada, jon, ilse], []), {
    also: ". With it, 2 more came into the graph.",
    list: ["+ Jon tends Elm Mill", "+ Ilse tends Elm Mill"],
  });
  assert.deepEqual(movedWords(ada, [jon], [ilse]), {
    also: ". With it, 1 more came into the graph, and 1 left it.",
    list: ["+ Jon tends Elm Mill", "− Ilse tends Elm Mill"],
  });
});

test("what is only pushed out of a list that is not whole has not moved", () => {
  const before = Array.from({ length: maxCompared }, (_, at) => proposed(`Person ${at}`, 0.7 - at / 10_000));
  const after = [proposed("Ilse", 0.75), ...before.slice(0, -1)];
  assert.deepEqual(movedWords(ada, before, after).list, ["− Ilse tends Elm Mill"]);
});
