import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { buildTypeLexicon, spelledName } from "./type-lexicon.ts";

describe("the glossary of a schema", () => {
  it("gives what is known of a narrower concept to the nearest type there is", () => {
    const broad = buildTypeLexicon(["person", "location"]);
    assert.deepEqual(broad.known.get("portugal"), [1]);
    assert.deepEqual(broad.words.get("novelist"), [0]);
    const narrow = buildTypeLexicon(["location", "country"]);
    assert.deepEqual(narrow.known.get("portugal"), [1]);
    assert.deepEqual(narrow.told, [1]);
  });

  it("knows a type by its whole name before its last word", () => {
    const { known } = buildTypeLexicon(["music genre", "musical instrument"]);
    assert.deepEqual(known.get("reggae"), [0]);
    assert.deepEqual(known.get("oboe"), [1]);
  });

  it("gives types of the same concept the same", () => {
    assert.deepEqual(buildTypeLexicon(["poet", "author"]).words.get("novelist"), [0, 1]);
  });

  it("has only its own name for a type that it does not know", () => {
    const { words, known, told } = buildTypeLexicon(["green flurb"]);
    assert.deepEqual([...words], [["flurb", [0]]]);
    assert.deepEqual([known.size, told.length], [0, 0]);
  });

  it("spells names out that were run together", () => {
    assert.equal(spelledName("musicgenre"), "music genre");
    assert.equal(spelledName("programlang"), "programming language");
    assert.equal(spelledName("MusicGenre"), "music genre");
    assert.equal(spelledName("company"), "company");
  });
});
