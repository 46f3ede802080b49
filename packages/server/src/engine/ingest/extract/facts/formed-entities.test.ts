import assert from "node:assert/strict";
import { test } from "node:test";
import { spanKey, workEntities } from "./formed-entities.ts";
import { readTestPassage } from "./test-sentences.ts";

test("the title of a work is one entity, without its article where the name finder sees it so", () => {
  const read = (text: string, whole: readonly { readonly start: number; readonly end: number }[] = []) => {
    const { passage } = readTestPassage(text, {});
    const names = new Set(whole.map(spanKey));
    return passage.sentences.flatMap((sentence) =>
      workEntities(sentence, { passage, whole: names }).map(({ type, name }) => `${type}: ${name}`),
    );
  };
  assert.deepEqual(read("Dr. Reed and the Sea is a film."), ["Work: Dr. Reed and the Sea"]);
  assert.deepEqual(read("The Copper Sea is a film."), ["Work: The Copper Sea"]);
  assert.deepEqual(read("The Copper Sea is a film.", [{ start: 4, end: 14 }]), ["Work: Copper Sea"]);
  assert.deepEqual(read('"The Copper Sea" is a film.', [{ start: 5, end: 15 }]), ["Work: The Copper Sea"]);
  assert.deepEqual(read("The Copper Sea is a museum."), []);
});
