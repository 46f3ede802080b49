import assert from "node:assert/strict";
import { test } from "node:test";
import { findOnPage } from "../src/pages/project/document/find-on-page.ts";

/** What is found, by piece. */
function found(passage: string, pieces: readonly string[]): readonly string[] {
  return findOnPage(passage, pieces).map(({ piece, start, end }) => pieces[piece]?.slice(start, end) ?? "");
}

test("a sentence is found over lines, whatever spaces, hyphens and marks are between its letters", () => {
  const pieces = ["Before it. The har-", "", "bour was  dred", "ged in MAY, after all."];
  assert.deepEqual(found("The harbour was dredged in May", pieces), [
    "The har",
    "bour was  dred",
    "ged in MAY",
  ]);
  assert.deepEqual(found("| before | after", ["before after"]), [], "short cells");
  assert.deepEqual(found("# Before it. The harbour was dredged in May", ["x Ｂefore it"]), ["Ｂefore it"]);
});

test("ligatures are their letters, and short or absent sentences are not marked", () => {
  assert.deepEqual(found("The officials left", ["The oﬃcials left early"]), ["The oﬃcials left"]);
  assert.deepEqual(found("In May", ["In May, in May"]), []);
  assert.deepEqual(found("The boats were burnt", ["Nothing of that is here"]), []);
});

test("of a sentence that goes on from one page to the next, the part on this page is marked at its ends", () => {
  const sentence = "The keeper of the northern lighthouse wrote to the council about the broken lamp again";
  assert.deepEqual(found(sentence, ["The keeper of the northern lighthouse wrote to"]), [
    "The keeper of the northern lighthouse",
  ]);
  assert.deepEqual(found(sentence, ["the council about the broken lamp again. Then"]), [
    "he council about the broken lamp again",
  ]);
});
