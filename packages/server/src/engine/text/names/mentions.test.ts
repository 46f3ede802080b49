import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { assertLinear } from "../../../../test/support/growth.ts";
import { sentences } from "../sentences.ts";
import { findAliases } from "./aliases.ts";
import { readLexicon } from "./lexicon.ts";
import { findMentions } from "./mentions.ts";

function mentionsOf(text: string) {
  return findMentions(text, [...sentences(text)], { lexicon: readLexicon(text) });
}

function names(text: string): string[] {
  return mentionsOf(text)
    .filter((mention) => !mention.isVariant)
    .map((mention) => mention.name);
}

function variants(text: string): string[] {
  return mentionsOf(text)
    .filter((mention) => mention.isVariant)
    .map((mention) => mention.name);
}

test("names include connecting words, initials, numerals and numbers", () => {
  assert.deepEqual(names("She met Ursula von der Heide and J. R. R. Halvorsen in Rio de Janeiro."), [
    "ursula von der heide",
    "jrr halvorsen",
    "rio de janeiro",
  ]);
  assert.deepEqual(names("There Karl XII flew Soyuz 11 for Hart & Sons with Omar al-Rashid."), [
    "karl xii",
    "soyuz 11",
    "hart and sons",
    "omar al rashid",
  ]);
  assert.deepEqual(names("It was led by the 3rd Baron Wexley at the University of Bergen."), [
    "3rd baron wexley",
    "university of bergen",
  ]);
});

test("a year is part of a name, unless a word before it says that it tells when", () => {
  assert.deepEqual(names("In 1974 Halvorsen founded it. They left; since 2008 Brennick Tools has it."), [
    "halvorsen",
    "brennick tools",
  ]);
  assert.deepEqual(names("The 1974 Orsk Cup began."), ["1974 orsk cup"]);
});

test("possessives and punctuation end a name", () => {
  assert.deepEqual(names("He saw Anna Berg’s Porto; Lagos (Nigeria)."), [
    "anna berg",
    "porto",
    "lagos",
    "nigeria",
  ]);
});

test("a sentence's first word is a name only if it can be one", () => {
  assert.deepEqual(names("However, it rained. The harvest failed. Construction began."), []);
  assert.deepEqual(names("Porters came. There were porters, porters everywhere."), []);
  assert.deepEqual(names("Lisbon grew. It is said that Lisbon burned."), ["lisbon", "lisbon"]);
  assert.ok(variants("In Flames played.").includes("in flames"));
});

test("days, months, letters, addresses and pronouns are not names", () => {
  assert.deepEqual(names("So on Monday, 5 May, I took plan B in January 1950."), []);
  assert.deepEqual(
    names("so write to Bob.Hart@Example.com or see https://Example.com/Some/Page and www.Foo.org now"),
    [],
  );
  assert.deepEqual(names("They called it Black Monday."), ["black monday"]);
});

test("a part of an earlier longer name is resolved to that name and is itself a variant", () => {
  const text = "Then Erik Lindqvist spoke. Later Lindqvist left with President Lindqvist.";
  assert.deepEqual(names(text), ["erik lindqvist", "erik lindqvist", "erik lindqvist"]);
  assert.ok(variants(text).includes("lindqvist"));
  assert.deepEqual(names("They fought in the American Civil War. An American fell."), [
    "american civil war",
    "american",
  ]);
});

test("the only longer name of the document is found for an earlier word, or for one in another chunk", () => {
  const text = "Then Lindqvist spoke. There Erik Lindqvist left.";
  assert.deepEqual(names(text), ["erik lindqvist", "erik lindqvist"]);
  assert.deepEqual(names("Then Lind spoke. There Erik Lind and Anna Lind left."), [
    "lind",
    "erik lind",
    "anna lind",
  ]);
});

test("parts of names, and names joined over a comma, a possessive or loose words, are variants", () => {
  const text = "He saw Albert III, Duke of Bern, at Ocean’s Twelve and at Lost in Transit.";
  const found = variants(text);
  for (const name of ["albert iii duke of bern", "bern", "ocean twelve", "lost in transit"]) {
    assert.ok(found.includes(name), name);
  }
  assert.ok(variants("It is the Royal Danish Ballet School.").includes("danish ballet"));
});

test("quoted titles are names in any script", () => {
  assert.deepEqual(names("he sang “Night Train” and 'x'"), ["night train"]);
  assert.deepEqual(names("東京で「夜の汽車」を見た。"), ["夜の汽車"]);
  assert.deepEqual(variants('he read "the end of the line" there'), ["end of the line"]);
  assert.deepEqual(names("nothing here is written with a capital"), []);
});

test("in lines of capitals function words separate names", () => {
  assert.deepEqual(names("THE RIVER BANK AND THE OLD MILL WERE FLOODED BY NIGHT"), [
    "river bank",
    "old mill",
    "flooded",
    "night",
  ]);
});

test("offsets refer to the text, are ordered and are inside their sentence", () => {
  const words = fc.constantFrom(
    "Anna",
    "of",
    "Berg,",
    "“Oslo",
    "night”",
    "de",
    "the",
    "X.",
    "said",
    "Ørsted's",
    "(",
    "7",
    "東京",
    "\n",
  );
  fc.assert(
    fc.property(
      fc.array(fc.oneof(words, fc.string({ unit: "grapheme", maxLength: 6 })), { maxLength: 40 }),
      (parts) => {
        const text = parts.join(" ");
        const spans = [...sentences(text)];
        const found = findMentions(text, spans, { lexicon: readLexicon(text) });
        for (const [place, mention] of found.entries()) {
          const sentence = spans[mention.sentence];
          assert.ok(sentence !== undefined && mention.start >= sentence.start && mention.end <= sentence.end);
          assert.ok(mention.name !== "" && mention.end > mention.start);
          const before = found[place - 1];
          assert.ok(before === undefined || before.start <= mention.start);
        }
        assert.deepEqual(findMentions(text, spans, { lexicon: readLexicon(text) }), found);
        findAliases(text, found);
      },
    ),
  );
});

test("the time for hostile texts grows with their length alone", async () => {
  const units = [
    "A",
    "A ",
    "A.",
    "@",
    "A & ",
    "((A",
    '"A',
    "A de ",
    "A's ",
    "A (born ",
    "Aa, known as ",
    "www.",
    "Aa: ",
  ];
  await assertLinear("names and aliases", 5_000, (length) => {
    for (const unit of units) {
      const text = unit.repeat(length / unit.length);
      const mentions = findMentions(text, [{ start: 0, end: text.length }], { lexicon: readLexicon(text) });
      findAliases(text, mentions);
    }
  });
});
