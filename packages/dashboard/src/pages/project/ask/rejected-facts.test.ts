import assert from "node:assert/strict";
import { test } from "node:test";
import type { ListedCorrection } from "@kcs/sdk";
import { rejectedIn } from "./rejected-facts.ts";

function rejection(target: string, sentence: string | null = null): ListedCorrection {
  return {
    ...{
      kind: "reject",
      correction_id: target,
      project_id: "prj_1",
      type: "BORN_IN",
      document: null,
      sentence,
    },
    source: { type: "Person", name: "Ines Falk", also: [{ type: "Person", name: "Falk" }] },
    target: { type: "Location", name: target, also: [] },
    ...{ reason: null, account_id: "acc_1", key_id: null, created_at: "2031-04-09T10:00:00Z" },
    ...{ chunks: 1, later_chunks: 0, conflicts: 0 },
  };
}

test("a rejection is told where a sentence names both ends, by any of their names", () => {
  const told = (sentences: string[], given: ListedCorrection) => rejectedIn(sentences, [given]).length;
  assert.equal(told(["Captain Falk was born in Porto."], rejection("Porto")), 1);
  assert.equal(told(["Captain Falk was born there.", "Porto is a town."], rejection("Porto")), 0);
  assert.equal(told(["Captain Falk was born in Porto."], rejection("Leiria")), 0);
});

test("a rejection of one sentence is told for this sentence alone", () => {
  const given = rejection("Porto", "Captain Falk was born in Porto.");
  assert.equal(rejectedIn(["Captain Falk was born in Porto. "], [given]).length, 1);
  assert.equal(rejectedIn(["Ines Falk lives in Porto."], [given]).length, 0);
});
