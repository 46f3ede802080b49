import assert from "node:assert/strict";
import { test } from "node:test";
import { readyOntologies } from "@kcs/contract/ready-ontologies";
import { readyMade } from "../ontologies/ready-made.ts";
import { ontologyChoices, readyMadeOf } from "./ontology-choices.ts";

test("a new project can have no ontology, one of the account, or each of the ready-made ones", async () => {
  assert.deepEqual(readyMade.map(({ id }) => id).sort(), Object.keys(readyOntologies).sort());
  for (const { id, label } of readyMade)
    assert.equal((await readyOntologies[id]()).default.name, label, "so that one that was made is known");
  const choices = ontologyChoices([{ id: "ont_1", name: "Harbour" }]);
  assert.deepEqual(choices.slice(0, 3), [
    { value: "", label: "None: types come from the texts" },
    { value: "ont_1", label: "Harbour" },
    { value: "ready-made general", label: "General knowledge (ready-made)" },
  ]);
  assert.equal(choices.length, 2 + readyMade.length);
  const made = choices.map(({ value }) => readyMadeOf(value));
  assert.deepEqual(made, [null, null, ...readyMade.map(({ id }) => id)]);
});

test("a ready-made ontology that the account has is offered once", () => {
  const labels = ontologyChoices([{ id: "ont_1", name: "Legal" }]).map(({ label }) => label);
  assert.ok(labels.includes("Legal"));
  assert.ok(!labels.includes("Legal (ready-made)"));
});
