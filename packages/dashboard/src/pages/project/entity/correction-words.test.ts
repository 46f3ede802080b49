import assert from "node:assert/strict";
import { test } from "node:test";
import type { ListedCorrection } from "@kcs/sdk";
import { correctionWords, undoneWords } from "./correction-words.ts";

const kept = {
  ...{ correction_id: "c", project_id: "p", account_id: "a", key_id: null, reason: null },
  ...{ created_at: "2031-01-01T00:00:00Z", chunks: 1, later_chunks: 0, conflicts: 0 },
};

test("a correction says what changed, with the types where names alone do not tell", () => {
  const entity = { type: "Organization", name: "Calder", also: [] };
  const merged: ListedCorrection = {
    ...kept,
    ...{ kind: "merge", entity, into: { type: "Person", name: "Calder" } },
  };
  assert.equal(correctionWords(merged), "“Calder” (Organization) was merged into “Calder” (Person)");
  assert.equal(
    correctionWords({ ...kept, kind: "rename", entity, name: "Calder & Co" }),
    "“Calder” (Organization) is called “Calder & Co”",
  );
  assert.equal(
    correctionWords({ ...kept, kind: "retype", entity, type: "Person" }),
    "“Calder” is of the type Person, not Organization",
  );
});

test("what was undone is said as it is then", () => {
  const entity = { type: "Organization", name: "Calder" };
  const fact = {
    ...{ source: { type: "Person", name: "Ines Falk" }, type: "BORN_IN" },
    target: { type: "Location", name: "Orrin" },
  };
  assert.equal(undoneWords({ kind: "reject", ...fact }), "No longer rejected: Ines Falk born in Orrin");
  assert.equal(
    undoneWords({ kind: "retype", entity, type: "Person" }),
    "“Calder” is of the type Organization again.",
  );
  const into = { type: "Person", name: "Calder" };
  assert.equal(
    undoneWords({ kind: "merge", entity, into }),
    "“Calder” (Organization) and “Calder” (Person) are two entities again.",
  );
  assert.equal(
    undoneWords({ kind: "remove_property", entity, property: "founded", value: "1893" }),
    "Back again: founded 1893 of Calder",
  );
});
