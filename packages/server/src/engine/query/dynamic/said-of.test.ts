import assert from "node:assert/strict";
import { test } from "node:test";
import { isSaidOfOther } from "./said-of.ts";

const asked = (before: string, opens = false) => isSaidOfOther(before, { name: "odile brandt", opens });

test("what a clause or a sentence says of another whom it names is not said of the thing that is asked about", () => {
  for (const before of [
    "In 1950 she married Noel Garrick, who was born in ",
    "She works with the painter Noel Garrick who lives in ",
    "Her brother Noel Garrick was born in ",
    "His colleague, Garrick, trained in ",
    "Noel Garrick, a reviewer, was born in ",
  ])
    assert.equal(asked(before), true, before);
});

test("what is said of it by its name, by a pronoun, or under another name at the beginning is", () => {
  for (const before of [
    "Odile Brandt, who married Noel Garrick, was born in ",
    "Noel Garrick met Odile Brandt, who was born in ",
    "She was born in ",
    "Her brother Noel Garrick says that she was born in ",
    "Noel Garrick and Brandt were born in ",
    "Born in ",
    "In London, she was born in ",
  ])
    assert.equal(asked(before), false, before);
  assert.equal(asked("Maria Odilia Sand was born in ", true), false);
  assert.equal(asked("Maria Odilia Sand was born in "), true);
});
