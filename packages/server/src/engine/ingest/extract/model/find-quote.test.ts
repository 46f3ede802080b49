import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { assertLinear } from "../../../../../test/support/growth.ts";
import { findQuote } from "./find-quote.ts";

const placed = (text: string, quote: string) =>
  findQuote(text, quote, 10).map(({ start, end }) => text.slice(start, end));

test("a quote is found where it stands word for word, whatever white space is between its words", () => {
  assert.deepEqual(placed("Ida was\n  born in Oslo. Ida was born in Oslo.", "was born in"), ["was born in"]);
  assert.deepEqual(placed("Ida was\n  born in Oslo.", "was born  in"), ["was\n  born in"]);
});

test("neither other words, nor other letters, nor parts of words are a quote", () => {
  for (const quote of ["was Born in", "was born at", "born i", "da was", "", "…", "  "])
    assert.deepEqual(placed("Ida was born in Oslo.", quote), []);
});

test("scripts without spaces between words have quotes anywhere", () => {
  assert.deepEqual(placed("山田太郎は東京で生まれた。", "東京"), ["東京"]);
});

const word = fc.oneof(
  fc.constantFrom("a", "b", "\ud800", "東", "é", "($[", "\\", " ", "\n"),
  fc.string({ maxLength: 3 }),
);
const words = fc.array(word, { maxLength: 8 }).map((list) => list.join(""));

test("what a quote means to a pattern is only text", () => {
  assert.deepEqual(placed("a (b.c) d", "(b.c)  d"), ["(b.c) d"]);
  fc.assert(
    fc.property(words, words, (text, quote) => {
      for (const found of placed(text, quote))
        assert.equal(found.replace(/\s+/g, " "), quote.trim().replace(/\s+/g, " "));
    }),
  );
});

test("the time grows with the length of the text alone", async () => {
  const quotes = [`${"a  ".repeat(300)}b`, `a${" ".repeat(900)}b`, "a  b"];
  await assertLinear("quotes", 10_000, (length) => {
    for (const quote of quotes) {
      for (const unit of ["a ", "a", " ", "a\n\n"]) findQuote(unit.repeat(length), quote, 1);
    }
  });
});
