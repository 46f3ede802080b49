import assert from "node:assert/strict";
import { test } from "node:test";
import { ownerOf } from "./name-owner.ts";

test("a name belongs to the entity of the type that has it, also as another name, and never to the one that is renamed", () => {
  const one = { entity_id: "1", name: "Orrin Ferries", type: "Company", aliases: ["Tarnholm Ltd"] };
  const other = { entity_id: "2", name: "Tarnholm Ltd", type: "Ship", aliases: [] };
  const owner = (name: string, type: string, ownId = "3") =>
    ownerOf({ name, type }, [one, other], ownId)?.entity_id ?? null;
  assert.equal(owner("Orrin Ferries", "Company"), "1");
  assert.equal(owner("tarnholm ltd ", "Company"), "1");
  assert.equal(owner("Tarnholm Ltd", "Ship"), "2");
  assert.equal(owner("Tarnholm", "Company"), null);
  assert.equal(owner("Tarnholm Ltd", "Company", "1"), null);
});
