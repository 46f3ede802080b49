import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { findAliasCandidates } from "./alias-candidates.ts";

const formsOf = (type: string, key: string) =>
  findAliasCandidates({ type, key }).map(({ candidate }) => candidate);

test("a person is supposed without middle names, with their initials, and with the short first name", () => {
  assert.deepEqual(formsOf("Person", "thomas henry arlen"), [
    "thomas arlen",
    "thomas h arlen",
    "th arlen",
    "tom arlen",
  ]);
  assert.deepEqual(formsOf("FilmDirector", "ada marie larsen")[0], "ada larsen");
});

test("ranks are left out where a first and a last name stay", () => {
  assert.ok(formsOf("Person", "major general robert gruber").includes("robert gruber"));
  assert.deepEqual(formsOf("Person", "king olav"), []);
  assert.deepEqual(formsOf("Person", "queen of norrland"), []);
});

test("father and son stay two, and so do those who are named after a place", () => {
  assert.deepEqual(formsOf("Person", "john henry smith jr"), []);
  assert.deepEqual(formsOf("Person", "albert of saxony"), []);
});

test("an organisation is supposed without its legal form", () => {
  assert.deepEqual(formsOf("Company", "nordvik robotics gmbh"), ["nordvik robotics"]);
  assert.deepEqual(formsOf("Organization", "brandt and co"), ["brandt"]);
  assert.deepEqual(formsOf("Organization", "harbour football club"), ["harbour fc"]);
  assert.deepEqual(formsOf("Organization", "the co"), []);
});

test("what is neither has no other forms", () => {
  assert.deepEqual(formsOf("City", "port sable co"), []);
  assert.deepEqual(formsOf("Film", "john henry smith"), []);
});

test("candidates are other names than the name itself, none is empty, and all are of its type", () => {
  const words = fc.constantFrom(
    "john",
    "h",
    "co",
    "inc",
    "and",
    "sir",
    "of",
    "jr",
    "anna",
    "football",
    "club",
  );
  fc.assert(
    fc.property(fc.constantFrom("Person", "Company"), fc.array(words, { maxLength: 9 }), (type, parts) => {
      const key = parts.join(" ");
      const found = findAliasCandidates({ type, key });
      assert.ok(found.every((one) => one.type === type && one.key === key));
      assert.ok(found.every(({ candidate }) => candidate !== key && candidate.trim() !== ""));
      assert.equal(new Set(found.map(({ candidate }) => candidate)).size, found.length);
    }),
  );
});
