import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { createTagger } from "../statements/create-tagger.ts";
import { MENTION_LIMITS } from "./entity-mention.ts";
import { findEntityMentions } from "./find-entity-mentions.ts";

const tag = createTagger();

function find(text: string): readonly (readonly [string, string])[] {
  const tokens = tag(text, { start: 0, end: text.length });
  return findEntityMentions(tokens).map(({ start, end, kind }) => [text.slice(start, end), kind] as const);
}

function assertFound(text: string, expected: Readonly<Record<string, string>>): void {
  const found = new Map(find(text));
  for (const [name, kind] of Object.entries(expected))
    assert.equal(found.get(name), kind, `${name} in ${text}`);
}

describe("entity mentions", () => {
  it("are names with what joins their words, and the parts that could be meant alone", () => {
    assertFound("Last year Mira Holt left the Bank of Ostrava for Kestrel Labs.", {
      "Mira Holt": "proper",
      "Bank of Ostrava": "proper",
      Bank: "proper",
      Ostrava: "proper",
      "Kestrel Labs": "proper",
    });
  });

  it("are terms in small letters, whole and without their modifiers", () => {
    assertFound("She teaches advanced soil chemistry to nurses.", {
      "advanced soil chemistry": "noun",
      "soil chemistry": "noun",
      nurses: "noun",
    });
  });

  it("are titles in quotation marks, whatever their words", () => {
    assertFound("Her poem “Nothing is left to say” won.", { "Nothing is left to say": "quoted" });
  });

  it("are dates as a whole, not the numbers in them", () => {
    assertFound("It opened on 12 May 1931 and closed in the 1990s.", {
      "12 May 1931": "date",
      "1990s": "date",
    });
    assert.equal(new Map(find("It opened on 12 May 1931.")).has("12"), false);
  });

  it("do not begin with a year that tells when", () => {
    assert.equal(new Map(find("In 1974 Halvorsen left.")).has("1974 Halvorsen"), false);
    assert.equal(new Map(find("He won the 1974 Orsk Cup.")).has("1974 Orsk Cup"), true);
  });

  it("are amounts with their unit", () => {
    assertFound("The dam cost 40 million dollars.", { "40 million dollars": "number" });
  });

  it("are nationalities, told from other names by their form", () => {
    assertFound("A Norwegian sailor met Thai and Dutch traders.", {
      Norwegian: "demonym",
      Thai: "demonym",
      Dutch: "demonym",
    });
  });

  it("do not take the capital of a sentence's first word for a name", () => {
    assert.equal(new Map(find("Although it rained, they left.")).has("Although"), false);
  });

  it("tell a thing that a name tells apart from what something is", () => {
    const namedIn = (text: string) =>
      findEntityMentions(tag(text, { start: 0, end: text.length }))
        .filter(({ isNamed }) => isNamed)
        .map(({ start, end }) => text.slice(start, end));
    assert.deepEqual(namedIn("Mira Holt runs the Ostrava office."), ["Ostrava office"]);
    assert.deepEqual(namedIn("She saw the Norwegian film and an Ostrava office."), []);
  });

  it("link a part to the reading that it is a part of", () => {
    const text = "They met the Bank of Ostrava.";
    const mentions = findEntityMentions(tag(text, { start: 0, end: text.length }));
    const part = mentions.find(({ start, end }) => text.slice(start, end) === "Ostrava");
    const whole = mentions[part?.variantOf ?? -1];
    assert.equal(text.slice(whole?.start, whole?.end), "Bank of Ostrava");
  });

  it("lie within their text, are no more than the limit, and are the same every time", () => {
    const word = fc.constantFrom(
      "Ada",
      "of",
      "the",
      "12",
      "May",
      "river",
      '"',
      "'s",
      "-",
      ",",
      "1999",
      "Thai",
      "(",
      "x",
    );
    const words = fc.array(fc.oneof(word, fc.string({ maxLength: 5 })), { maxLength: 60 });
    fc.assert(
      fc.property(words, (list) => {
        const text = list.join(" ");
        const tokens = tag(text, { start: 0, end: text.length });
        const mentions = findEntityMentions(tokens);
        assert.ok(mentions.length <= MENTION_LIMITS.mentions);
        for (const { from, to, start, end, variantOf } of mentions) {
          assert.ok(from < to && to - from <= MENTION_LIMITS.tokens && to <= tokens.length);
          assert.ok(start < end && start >= 0 && end <= text.length);
          assert.ok(variantOf === null || mentions[variantOf] !== undefined);
        }
        assert.deepEqual(findEntityMentions(tokens), mentions);
      }),
      { numRuns: 200 },
    );
  });

  it("take linear time in a sentence without end", () => {
    const text = "Ada Holt and Bo of the ".repeat(80);
    const mentions = findEntityMentions(tag(text, { start: 0, end: text.length }));
    assert.equal(mentions.length, MENTION_LIMITS.mentions);
  });
});
