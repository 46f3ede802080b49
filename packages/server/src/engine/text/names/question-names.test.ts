import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { findNames } from "./question-names.ts";

const candidatesOf = (question: string) =>
  new Map(findNames(question).map((candidate) => [candidate.name, candidate]));

test("names of a question are candidates with and without capitals", () => {
  for (const question of [
    "Who wrote the Night Train to Lisbon’s music?",
    "who wrote the night train to lisbon's music",
  ]) {
    const candidates = candidatesOf(question);
    const name = candidates.get("night train to lisbon");
    assert.ok(name !== undefined);
    assert.match(question.slice(name.start, name.end), /^(?:the )?night train to lisbon/i);
    assert.equal(name.isCapitalized, question.startsWith("Who"));
  }
});

test("names may contain commas and stop words, but not only stop words in lower case", () => {
  assert.ok(candidatesOf("Where did Otto Lind, 1st Baron Wexley live?").has("otto lind 1st baron wexley"));
  assert.ok(candidatesOf("Which band is older, The Who or Lind?").has("who"));
  assert.ok(!candidatesOf("where is it and who was there").has("is it"));
});

test("candidates do not cross the end of a question", () => {
  assert.ok(!candidatesOf("Where is Alder? Lind asked.").has("alder lind"));
});

test("there are at most 200 candidates, longest first, including the capitalized names of a long question", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme", maxLength: 8 }), { maxLength: 200 }), (parts) => {
      const question = parts.join(" ");
      const candidates = findNames(question);
      assert.ok(candidates.length <= 200);
      for (const [place, { start, end, name }] of candidates.entries()) {
        const before = candidates[place - 1];
        assert.ok(before === undefined || before.end - before.start >= end - start);
        assert.ok(name !== "" && start >= 0 && end <= question.length && start < end);
      }
    }),
  );
  const long = `${"which small words stand here without capitals ".repeat(12)} before Port Alder?`;
  assert.ok(candidatesOf(long).has("port alder"));
});

test("of a question with thousands of runs only those that are taken get a normal form", ({ mock }) => {
  // Folding an accent takes two of these.
  const fold = mock.method(String.prototype, "normalize");
  const names = findNames("Gdańsk Málaga Übersee Çorum ".repeat(70));
  assert.equal(names.length, 200);
  assert.equal(fold.mock.callCount(), 2 * 200);
});
