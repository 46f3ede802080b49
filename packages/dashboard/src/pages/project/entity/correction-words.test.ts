import assert from "node:assert/strict";
import { test } from "node:test";
import type { ListedCorrection } from "@kcs/sdk";
import { correctionWords } from "./correction-words.ts";

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
