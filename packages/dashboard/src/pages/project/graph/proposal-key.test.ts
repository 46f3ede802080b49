import assert from "node:assert/strict";
import { test } from "node:test";
import type { Proposal } from "@kcs/sdk";
import { factOf, maxJudged, type Proposals, selectedWith, verdictOn } from "./proposal-key.ts";

function proposal(name: string): Proposal {
  return {
    ...{ type: "WORKS_FOR", confidence: 0.7, evidence: [] },
    source: { entity_id: null, name, type: "Person" },
    target: { entity_id: "ent_1", name: "Vell", type: "Company" },
  } as unknown as Proposal;
}

test("as many as one request takes can be selected, each once", () => {
  const many = Array.from({ length: maxJudged + 20 }, (_, at) => proposal(`Ada ${at}`));
  const none: Proposals = new Map();
  const all = selectedWith(none, many, true);
  assert.equal(all.size, maxJudged);
  assert.equal(selectedWith(all, many.slice(0, 3), true).size, maxJudged);
  assert.equal(selectedWith(all, many.slice(0, 3), false).size, maxJudged - 3);
});

test("a verdict names both ends", () => {
  assert.equal(factOf(proposal("Ada")), "Ada works for Vell");
  assert.deepEqual(verdictOn("reject", proposal("Ada")), {
    ...{ kind: "reject", type: "WORKS_FOR" },
    source: { type: "Person", name: "Ada" },
    target: { type: "Company", name: "Vell" },
  });
});
