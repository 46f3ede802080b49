import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { splitLines } from "./sentence-lines.ts";

const pieces = (text: string) =>
  splitLines(text, { start: 0, end: text.length }).map(({ start, end }) => text.slice(start, end));

const PROSE = "The council met on Monday to hear what the harbour master had to say about the\n";

test("a short line before a line with a capital is a sentence of its own", () => {
  const text = `${PROSE}new pier.\n1. Project Heron\nAnna Berg leads it.\nBest regards\nJonas`;
  assert.deepEqual(pieces(text).slice(1), [
    "1. Project Heron",
    "Anna Berg leads it.",
    "Best regards",
    "Jonas",
  ]);
});

test("wrapped prose is not split, also where a name begins a line", () => {
  const text = `${PROSE}new pier, and the plans that the engineers of the port authority had made for\nAnna Berg.`;
  assert.deepEqual(pieces(text), [text]);
});

test("list items and keys begin a sentence, also after a long line", () => {
  const text = `${PROSE}- first thing\nPrice: 20 EUR`;
  assert.deepEqual(pieces(text), [PROSE.trim(), "- first thing", "Price: 20 EUR"]);
});

test("pieces of a trimmed text are trimmed and in order, and only white space is lost", () => {
  const words = fc.constantFrom(
    "a",
    "Bee",
    "1.",
    "-",
    "key:",
    "\n",
    " ",
    "\n\n",
    "long words that fill the line",
  );
  fc.assert(
    fc.property(fc.array(words, { minLength: 1, maxLength: 30 }), (parts) => {
      const text = `a ${parts.join(" ")}`.trim();
      const found = pieces(text);
      assert.equal(found.join("").replace(/\s+/g, ""), text.replace(/\s+/g, ""));
      assert.ok(found.every((piece) => piece === piece.trim() && piece !== ""));
    }),
  );
});
