import assert from "node:assert/strict";
import { test } from "node:test";
import { createTagger } from "../statements/create-tagger.ts";
import { withoutTitle } from "./titled-names.ts";

const tag = createTagger();

function untitled(name: string): string | null {
  const text = `We met ${name} there.`;
  const end = 7 + name.length;
  const tokens = tag(text, { start: 0, end: text.length });
  const from = tokens.findIndex(({ start }) => start === 7);
  const to = tokens.findLastIndex((token) => token.end <= end) + 1;
  const mention = withoutTitle(tokens, { start: 7, end, from, to, kind: "proper", variantOf: null });
  return mention === null ? null : text.slice(mention.start, mention.end);
}

test("a title is no part of a person's name", () => {
  assert.equal(untitled("Sir Odo Tarnwick-Bell"), "Odo Tarnwick-Bell");
  assert.equal(untitled("Cllr Odo Tarnwick"), "Odo Tarnwick");
  assert.equal(untitled("Col. Odo Tarnwick"), "Odo Tarnwick");
});

test("offices, a single word behind a title, and names without a title stay whole", () => {
  for (const name of ["Lord Provost of Tarnwick", "Captain Tarnwick", "Odo Tarnwick"])
    assert.equal(untitled(name), null, name);
});
