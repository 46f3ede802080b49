import assert from "node:assert/strict";
import { test } from "node:test";
import { namePassage, namesIn } from "./names.ts";

test("names are runs of capitalised words, each once, as many as are wanted", () => {
  const text = "The mill of Odile Brandt stood in Kestrel Bay. Odile Brandt sold it to Ørsted's firm.";
  assert.deepEqual(namesIn(text, 9), ["Odile Brandt", "Kestrel Bay", "Ørsted"]);
  assert.deepEqual(namesIn(text, 1), ["Odile Brandt"]);
});

test("a single word that begins a sentence is no name, several are one", () => {
  assert.deepEqual(namesIn('It closed. Later Maud Pell left. "Nobody saw it," said Pell.', 9), [
    "Later Maud Pell",
    "Pell",
  ]);
});

test("a passage's names are those of its body without its title, and the marks of formats are taken away", () => {
  const passage = namePassage(
    'Larkspur Mill (1871) <|#|>\nLarkspur Mill was built by Odile Brandt\nin "Kestrel Bay".',
  );
  assert.deepEqual(passage, {
    title: "Larkspur Mill 1871",
    names: ["Larkspur Mill", "Odile Brandt", "Kestrel Bay"],
    begin: "Larkspur Mill was built by Odile Brandt in Kestrel Bay .",
  });
  assert.deepEqual(namePassage("Odile Brandt\nShe knew Odile Brandt and Maud Pell.").names, ["Maud Pell"]);
});
