import assert from "node:assert/strict";
import { test } from "node:test";
import { UNTYPED } from "../../../../domain/graph.ts";
import { readTestPassage } from "./test-sentences.ts";
import { innerCapitals, isWeakName } from "./weak-names.ts";

/** Whether the name, at its last place in the text, is weak. */
function isWeak(text: string, name: string, type: string = UNTYPED): boolean {
  const { passage, entities } = readTestPassage(text, { [name]: type });
  const entity = entities.at(-1);
  const sentence = passage.sentences[entity?.sentence ?? -1];
  assert.ok(entity !== undefined && sentence !== undefined, name);
  const open = { ...entity, shares: new Float32Array(0), isSure: false };
  return isWeakName(open, { passage, sentence, inner: innerCapitals(passage) });
}

test("a lone word that begins a sentence or a line is a name only for another reason", () => {
  assert.ok(isWeak("Harbours were closed.", "Harbours"));
  assert.ok(isWeak("The council met.\n2) Toilets\nNothing new.", "Toilets"));
  assert.ok(!isWeak("Ask Tarnwick. Tarnwick knows.", "Tarnwick"));
  assert.ok(!isWeak("We met Tarnwick there.", "Tarnwick"));
  assert.ok(!isWeak("OpenTarn is a library.", "OpenTarn"));
  assert.ok(!isWeak("Tarnwick knows.", "Tarnwick", "Person"));
});

test("a lone word that owns something, or is explained, is a name", () => {
  assert.ok(!isWeak("Tarnwick's harbour was closed.", "Tarnwick"));
  assert.ok(!isWeak("Tarnwick, whose harbour was closed, has no school.", "Tarnwick"));
  assert.ok(isWeak("Harbours, if closed, are marked.", "Harbours"));
});

test("a unit behind a number, and a participle that begins a sentence, make no name", () => {
  assert.ok(isWeak("The file has 3 MB in all.", "MB"));
  assert.ok(!isWeak("The file is from MB in all.", "MB"));
  assert.ok(isWeak("Replacing Tarnwick takes a day.", "Replacing Tarnwick"));
});
