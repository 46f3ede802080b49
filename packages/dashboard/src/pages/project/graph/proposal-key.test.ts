import assert from "node:assert/strict";
import { test } from "node:test";
import type { Proposal } from "@kcs/sdk";
import { factOf, maxJudged, type Proposals, percentWords, selectedWith, verdictOn } from "./proposal-key.ts";

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

test("a probability is never rounded up over a limit", () => {
  const probabilities = [0.799, 0.8, 0.58, 0.575, 0.29, 0.999];
  assert.deepEqual(probabilities.map(percentWords), ["79 %", "80 %", "58 %", "57 %", "29 %", "99 %"]);
});

test("a confirmation says which types the page has told", () => {
  const { source, target, ...rest } = proposal("Ada");
  const taken = {
    ...target,
    confirmed_type: "Firm",
    same_name: [{ ...target, type: "Firm" }],
  } as typeof target;
  assert.equal("target_type" in verdictOn("confirm", { ...rest, source, target }), false);
  assert.deepEqual(verdictOn("confirm", { ...rest, source, target: taken }), {
    ...{ kind: "confirm", type: "WORKS_FOR", source: { type: "Person", name: "Ada" } },
    ...{ target: { type: "Company", name: "Vell" }, target_type: "Firm" },
  });
  assert.equal("target_type" in verdictOn("reject", { ...rest, source, target: taken }), false);
});
