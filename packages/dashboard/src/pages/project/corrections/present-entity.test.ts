import assert from "node:assert/strict";
import { test } from "node:test";
import {
  correctionOfPresent,
  type EntityCorrection,
  lastName,
  presentEntity,
  presentName,
} from "./present-entity.ts";

const made = {
  ...{ correction_id: "cor_1", project_id: "prj_1", account_id: "acc_1", key_id: null },
  ...{ created_at: "2030-01-01T00:00:00.000Z", chunks: 0, later_chunks: 0, conflicts: 0, reason: null },
};
const amelie = { name: "Amélie", type: "Work" };
const rename: EntityCorrection = {
  ...{ ...made, kind: "rename", entity: { ...amelie, also: [amelie] }, name: "Amélie Poulain" },
};

test("of several entities of one name none is meant", () => {
  const [film, person] = [
    { name: "Amélie", type: "Film" },
    { name: "Amélie", type: "Person" },
  ];
  assert.equal(presentEntity([film]), film);
  assert.equal(presentEntity([film, person]), null);
  assert.equal(presentEntity([]), null);
});

test("a correction is made again for the entity under its present type, with its reason and its present names", () => {
  const film = { name: "Amélie", type: "Film" };
  assert.deepEqual(correctionOfPresent({ ...rename, reason: "Full title" }, film), {
    ...{ kind: "rename", entity: film, name: "Amélie Poulain", reason: "Full title" },
  });
  assert.equal(correctionOfPresent(rename, { name: "Amélie Poulain", type: "Film" }), null);
  const merge: EntityCorrection = { ...made, kind: "merge", entity: { ...amelie, also: [] }, into: amelie };
  assert.deepEqual(correctionOfPresent(merge, film, film), { kind: "merge", entity: film, into: film });
  assert.deepEqual(correctionOfPresent(merge, film), { kind: "merge", entity: film, into: amelie });
  const retype: EntityCorrection = { ...made, kind: "retype", entity: { ...amelie, also: [] }, type: "Film" };
  assert.equal(correctionOfPresent(retype, film), null, "the reading gives it the type now");
});

test("what became of a name is told: its type, its types, the entity that has it beside another name, or that nothing has it", () => {
  const film = { name: "Amélie", type: "Film" };
  const wordsOf = (found: readonly { readonly name: string; readonly type: string }[]) =>
    presentName(amelie, found)?.words;
  assert.deepEqual(presentName(amelie, [film]), { words: "is of the type Film now.", entity: film });
  assert.equal(
    wordsOf([film, { ...film, type: "Person" }]),
    "is there under several types now (Film, Person). Correct it on its page.",
  );
  const poulain = { name: "Amélie Poulain", type: "Work" };
  assert.deepEqual(presentName(amelie, [poulain]), {
    ...{ words: "is a name of “Amélie Poulain” (Work) now.", entity: null },
  });
  assert.equal(wordsOf([]), "names nothing in the graph now.");
  assert.equal(presentName(amelie, [amelie, film]), null, "it is there as it was");
});

test("a renaming that is made again gives the name that the next one of its chain has given meanwhile", () => {
  const named = (type: string, from: string, name: string): EntityCorrection => ({
    ...{ ...made, kind: "rename", entity: { type, name: from, also: [] }, name },
  });
  const merged: EntityCorrection = {
    ...{ ...made, kind: "merge", entity: { type: "Film", name: "C", also: [] } },
    into: { type: "Film", name: "D" },
  };
  const newestFirst = [merged, named("Film", "B", "C"), named("Work", "C", "E"), named("Film", "C", "F")];
  assert.equal(lastName(newestFirst, { type: "Film", name: "B" }), "D");
  assert.equal(lastName(newestFirst, { type: "Work", name: "B" }), "B");
});
