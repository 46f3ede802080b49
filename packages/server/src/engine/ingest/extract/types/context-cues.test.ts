import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findEntityMentions } from "../mentions/find-entity-mentions.ts";
import { createTagger } from "../statements/create-tagger.ts";
import { ANCHORS } from "./anchors.ts";
import { addContextCues } from "./context-cues.ts";

const tag = createTagger();

/** The classes that cues speak for, of the name in this text. */
function classesOf(name: string, text: string): readonly string[] {
  const tokens = tag(text, { start: 0, end: text.length });
  const mention = findEntityMentions(tokens).find(({ start, end }) => text.slice(start, end) === name);
  assert.ok(mention !== undefined, name);
  const row = new Float32Array(ANCHORS.length);
  addContextCues(tokens, mention, row);
  return ANCHORS.filter((_, at) => (row[at] ?? 0) > 0);
}

describe("context cues", () => {
  it("tell a class by the words before a name", () => {
    assert.deepEqual(classesOf("Telvora", "She works for Telvora."), ["organization"]);
    assert.deepEqual(classesOf("Telvora", "It was published by Telvora."), ["organization"]);
    assert.deepEqual(classesOf("Quillmark", "We installed Quillmark yesterday."), ["product"]);
    assert.deepEqual(classesOf("Varnholm", "He was born in Varnholm."), ["location"]);
  });

  it("tell a class by what the name does or what is done to it", () => {
    assert.deepEqual(classesOf("Odran Quill", "Odran Quill died on Monday."), ["person"]);
    assert.deepEqual(classesOf("Tarnwick", "Tarnwick founded a mill."), ["person"]);
    assert.deepEqual(classesOf("Blorvex", "Blorvex is manufactured in two towns."), ["product"]);
    assert.deepEqual(classesOf("Tarnwick", "Tarnwick manufactures bolts."), ["organization"]);
  });

  it("tell people by their titles, but no street that has one", () => {
    assert.deepEqual(classesOf("King Alaric", "The tower of King Alaric fell."), ["person"]);
    assert.deepEqual(classesOf("King Street", "The shop in King Street closed."), []);
  });

  it("tell products by a model's number, which no year is", () => {
    assert.deepEqual(classesOf("Halden HX-20", "A Halden HX-20 stood there."), ["product"]);
    assert.deepEqual(classesOf("Osterby 1999", "At Osterby 1999 they sang."), []);
  });

  it("say nothing without a cue", () => {
    assert.deepEqual(classesOf("Marrakin", "Marrakin shone in the sun."), []);
  });
});
