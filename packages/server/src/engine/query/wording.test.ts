import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createWordingFilter } from "./wording.ts";

test("a wording is new only once, regardless of case and punctuation", () => {
  const piece = fc.constantFrom(
    "Oil",
    "oil",
    "OIL",
    "oïl",
    "4",
    "0",
    " ",
    "–",
    ", ",
    "K",
    "k",
    "水",
    "İ",
    "_",
    "*",
  );
  const texts = fc.array(
    fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join("")),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(texts, (given) => {
      const isNew = createWordingFilter();
      const seen = new Set<string>();
      for (const text of given) {
        const words = (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ");
        assert.equal(isNew(text), !seen.has(words), text);
        seen.add(words);
      }
    }),
  );
});
