import assert from "node:assert/strict";
import { test } from "node:test";
import type { Proposal } from "@kcs/sdk";
import { confirmEffects, effectOfAll } from "./confirm-effect.ts";

type End = Proposal["source"];

function endOf(name: string, type: string, confirmed: string, others: readonly string[]): End {
  const same = others.map((other) => ({ entity_id: "ent_1", name, type: other }));
  return { entity_id: null, name, type, confirmed_type: confirmed, same_name: same };
}

const ada = endOf("Ada", "Person", "Person", []);
const fact = (target: End) => ({ source: ada, type: "MAKES", target });
const taken = endOf("Kestrel", "Product", "Organization", ["Organization"]);
const second = endOf("Gale", "Product", "Product", ["Organization"]);
const unclear = endOf("Orrin", "Product", "Product", ["Organization", "Place"]);

test("it is said before whether an entity is used that is there, or another one is added", () => {
  assert.deepEqual(confirmEffects(fact(ada)), []);
  assert.deepEqual(confirmEffects(fact(taken)), [
    "“Kestrel” is in the graph as Organization. Confirm uses the Organization.",
  ]);
  assert.deepEqual(confirmEffects(fact(second)), [
    "“Gale” is in the graph as Organization, to which “makes” does not apply here. Confirm adds another “Gale”, of the type Product.",
  ]);
  assert.deepEqual(confirmEffects(fact(unclear)), [
    "“Orrin” is in the graph as Organization and as Place. Confirm adds another “Orrin”, of the type Product.",
  ]);
});

test("of many the names are told, at most three of each", () => {
  assert.equal(effectOfAll([fact(ada)]), "");
  const many = Array.from({ length: 5 }, (_, at) => fact(endOf(`K${at}`, "A", "B", ["B"])));
  assert.equal(
    effectOfAll([fact(second), fact(second), ...many]),
    "Confirm uses what is in the graph under another type: K0 (B), K1 (B), K2 (B) and 2 more. Confirm adds others of the same name: Gale (Product beside Organization).",
  );
});
