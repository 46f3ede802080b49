import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  endsOf,
  fullNameFinder,
  hasWholeWords,
  nameAliases,
  nameFinder,
  normalizeName,
  normalizePart,
} from "./normal-form.ts";

test("spellings of one name have one normal form", () => {
  const same = [
    ["I.B.M.", "IBM", "i.b.m"],
    ["J. R. R. Halvorsen", "J.R.R. Halvorsen", "JRR Halvorsen"],
    ["The Évian Accords", "Evian accords", "the Evian Accords’"],
    ["O’Brien", "O'Brien", "OBrien"],
    ["Jean-Paul Ørsted", "Jean Paul Orsted"],
    ["Hart & Sons", "Hart and Sons"],
    ["Anna’s", "Anna's", "Anna"],
  ];
  for (const forms of same) assert.equal(new Set(forms.map(normalizeName)).size, 1, forms.join(" | "));
});

test("articles, marks and white space give the empty string", () => {
  for (const text of ["", " ", "The", "a", "—…!", "'s"]) assert.equal(normalizeName(text), "");
  assert.equal(normalizeName("The The"), "the");
  for (const text of ["The", "an", " A "]) assert.equal(normalizePart(text), text.trim().toLowerCase());
  assert.deepEqual(["the Mill", "—…!"].map(normalizePart), ["mill", ""]);
});

test("letters of scripts without case and their marks are kept", () => {
  assert.equal(normalizeName("「東京」"), "東京");
  assert.equal(normalizeName("दिल्ली"), "दिल्ली");
});

test("a normal form consists of words with single spaces, for any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), (text) => {
      const name = normalizeName(text);
      assert.equal(name, name.trim());
      assert.doesNotMatch(name, /\s{2}|[.,;:!?()'"]/);
      assert.ok(name.length <= 400 * 18);
    }),
  );
});

test("a title has forms without its parentheses, its apposition and its subtitle", () => {
  assert.deepEqual(nameAliases("Mercury (planet)"), ["mercury planet", "mercury"]);
  assert.deepEqual(nameAliases("Salem, Oregon"), ["salem oregon", "salem"]);
  assert.deepEqual(nameAliases("Night Train: A Life"), ["night train a life", "night train"]);
  assert.deepEqual(nameAliases("Report: Night Train"), ["report night train"]);
  assert.deepEqual(nameAliases("(!)"), []);
});

test("endsOf gives the first and the last word", () => {
  assert.equal(endsOf("anna maria berg"), "anna|berg");
  assert.equal(endsOf("berg"), "berg|berg");
});

test("a name is found anywhere in a text of any length, as whole words", () => {
  const has = nameFinder(`${"Rope is sold. ".repeat(100)}So says Ida Vell's aunt.`);
  assert.deepEqual(["ida vell", "rope", "ida", "ida ve", "velden"].map(has), [
    true,
    true,
    true,
    false,
    false,
  ]);
});

test("characters that stand for whole words are passed over in a text", () => {
  const text = `Ida \ufdfa Vell, ${"\ufdfa".repeat(100)}`;
  assert.ok(nameFinder(text)("ida vell"));
  assert.ok(fullNameFinder(text)("ida vell"));
  assert.ok(hasWholeWords(text) && !hasWholeWords("Ida Vell"));
});

test("a fuller form of a name has its first and last word with at most three words between them, in one place", () => {
  const has = fullNameFinder(
    "So says Ida (Marguerite) van der Vell. Tove likes ropes, sheds, boats and Lank.",
  );
  assert.ok(has("ida vell"));
  assert.ok(has("marguerite"));
  assert.ok(!has("tove lank"));
  assert.ok(!has("vell ida"));
});
