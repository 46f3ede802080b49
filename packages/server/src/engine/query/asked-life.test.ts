import assert from "node:assert/strict";
import { test } from "node:test";
import { statesAskedLife } from "./asked-life.ts";
import { summarize } from "./test-summarize.ts";

const chunkOf = (text: string) => ({
  text,
  versionId: 1,
  start: 0,
  similarity: 0.2,
  cosine: 0.2,
  fused: 0.2,
});
const states = (query: string, text: string) => statesAskedLife(query, [chunkOf(text)]);

const life =
  "Karla Moss\n\nKarla Moss (6 June 1906, Velden – 2 November 1994, Orsk-Ternau) was a director of films.";
const dates = "Karla Moss\n\nKarla Moss (6 June 1906 – 2 November 1994) was a director of films.";
const birth = "Karla Moss\n\nKarla Moss (born 6 June 1906 in Velden) is a director of films.";

const given: readonly (readonly [query: string, text: string, isGiven: boolean])[] = [
  ["Where was the place of death of Karla Moss?", life, true],
  ["Where was Karla Moss born?", life, true],
  ["What is the birthplace of Karla Moss?", life, true],
  ["When did Karla Moss die?", life, true],
  ["What is the date of birth of Karla Moss?", dates, true],
  ["Where did Karla Moss die?", dates, false],
  ["In which town was Karla Moss born?", birth, true],
  ["Where did Karla Moss die?", birth, false],
  ["How did Karla Moss die?", life, false],
  ["Where did Odile Brandt die?", life, false],
  ["Where did Karla Moss live?", life, false],
  ["Where was the place of death of Karla Moss?", "Karla Moss (1906, 1994) is a bus line of Velden.", false],
];

for (const [query, text, isGiven] of given)
  test(`"${query}" is ${isGiven ? "" : "not "}answered by "${text.slice(12, 70).trim()}"`, () => {
    assert.equal(states(query, text), isGiven);
  });

test("what a life in brackets gives is not denied, whatever the reader makes of the passage", () => {
  const reading = { answer: null, isComplete: true };
  const ask = (query: string, text: string) => summarize({ query, chunks: [chunkOf(text)], reading });
  assert.match(ask("Where was the place of death of Karla Moss?", life), /^Karla Moss \(6 June 1906, Velden/);
  assert.match(
    ask("Where was the place of death of Karla Moss?", dates),
    /^No passage that was found answers/,
  );
});
