import assert from "node:assert/strict";
import { test } from "node:test";
import { entityCalled, nameForAddress } from "./renamed-entity.ts";

const evidence = [
  { chunk_id: "1:0", source_doc_id: "a", start: 0, end: 25, text: "Ada Brandt founded Kestrel." },
];

test("an address has the name that texts write, whatever the entity is called now", () => {
  const entity = { name: "Ada Holm", type: "Person", aliases: ["A. Holm", "Ada Brandt"], evidence };
  assert.deepEqual(nameForAddress(entity), { name: "Ada Brandt", type: "Person" });
  assert.deepEqual(nameForAddress({ ...entity, evidence: [] }), { name: "Ada Holm", type: "Person" });
});

test("a name leads to the entity of that name and type, then to one of that name, then to one that texts write so", () => {
  const renamed = { name: "Ada Holm", type: "Person", aliases: ["Ada Brandt"] };
  const ship = { name: "Ada Brandt", type: "Ship", aliases: [] };
  const person = { name: "Ada Brandt", type: "Person", aliases: [] };
  const called = { name: "Ada Brandt", type: "Person" };
  assert.equal(entityCalled(called, [ship, renamed, person]), person);
  assert.equal(entityCalled(called, [ship, renamed]), renamed);
  assert.equal(entityCalled(called, [ship]), ship);
  assert.equal(entityCalled(called, [{ ...ship, name: "Ada Brandt House" }]), null);
});
