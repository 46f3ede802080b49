import assert from "node:assert/strict";
import { test } from "node:test";
import { findEntityMentions } from "../mentions/find-entity-mentions.ts";
import { createTagger } from "../statements/create-tagger.ts";
import { findOpeningTitle, withOpeningTitle } from "./opening-title.ts";

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

test("The title joins the mentions with its part before a colon, and every link still points to a longer or equal reading.", () => {
  const text = "Grey Hill: The Last of the Bakers is a film by Ida Holm.";
  const tokens = tokensOf(text);
  const mentions = withOpeningTitle(tokens, findEntityMentions(tokens));
  const names = mentions.map(({ start, end }) => text.slice(start, end));
  assert.ok(names.includes("Grey Hill: The Last of the Bakers"));
  assert.ok(names.includes("Grey Hill"));
  for (const { from, to, variantOf } of mentions) {
    const whole = variantOf === null ? null : mentions[variantOf];
    assert.ok(whole !== undefined);
    assert.ok(whole === null || (whole.from < to && from < whole.to));
  }
});
