import assert from "node:assert/strict";
import { test } from "node:test";
import { createTagger } from "../statements/create-tagger.ts";
import { findOpeningTitle } from "./opening-title.ts";

const tag = createTagger();
const tokensOf = (text: string) => tag(text, { start: 0, end: text.length });

function titleOf(text: string): string | null {
  const tokens = tokensOf(text);
  const title = findOpeningTitle(tokens);
  return title === null ? null : text.slice(tokens[title.from]?.start, tokens[title.to - 1]?.end);
}

test("A title with small words is found whole before its verb.", () => {
  assert.equal(titleOf("The Baker of the Grey Hill is a 1990 film."), "The Baker of the Grey Hill");
  assert.equal(titleOf("Who Goes and Who Stays (2001) was a play."), "Who Goes and Who Stays");
});

test("A pronoun, a plain noun phrase and a clause are no titles.", () => {
  for (const text of ["It is a film.", "The company was sold.", "In 1990 the firm was sold.", "Rain fell."])
    assert.equal(titleOf(text), null, text);
});
