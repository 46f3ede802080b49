import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { splitNested } from "./nested-question.ts";

const split = (query: string) => {
  const found = splitNested(query);
  return found && [found.inner, found.outer("Odile Brandt")];
};

describe("what a question describes is asked for first", () => {
  const cases: readonly (readonly [string, string, string])[] = [
    [
      "Where was the founder of Larkspur Mill born?",
      "Who or what is the founder of Larkspur Mill?",
      "Where was Odile Brandt born?",
    ],
    [
      "What is the home town of the chief engineer of the ferry Tessel (1994)?",
      "Who or what is the chief engineer of the ferry Tessel (1994)?",
      "What is the home town of Odile Brandt?",
    ],
    [
      "When did Maud Pell, Duchess of Velden's father die?",
      "Who or what is Maud Pell, Duchess of Velden's father?",
      "When did Odile Brandt die?",
    ],
    [
      "Which prize did the author of Grey Sheds win in 1990?",
      "Who or what is the author of Grey Sheds?",
      "Which prize did Odile Brandt win in 1990?",
    ],
    [
      "What is the place of birth of Maud Pell's husband?",
      "Who or what is Maud Pell's husband?",
      "What is the place of birth of Odile Brandt?",
    ],
    [
      "When is Maud Pell (painter)'s husband's birthday?",
      "Who or what is Maud Pell (painter)'s husband?",
      "When is Odile Brandt's birthday?",
    ],
    [
      "Where was Maud Pell's husband educated?",
      "Who or what is Maud Pell's husband?",
      "Where was Odile Brandt educated?",
    ],
    [
      "Who is married to the director of the film Down, Up, Away?",
      "Who or what is the director of the film Down, Up, Away?",
      "Who is married to Odile Brandt?",
    ],
    [
      "Who married the engineer who built Larkspur Mill in Velden?",
      "Who or what is the engineer who built Larkspur Mill in Velden?",
      "Who married Odile Brandt?",
    ],
    [
      "When did the engineer who built Larkspur Mill die?",
      "Who or what is the engineer who built Larkspur Mill?",
      "When did Odile Brandt die?",
    ],
    [
      "Which club does the player that Maud Pell trained play for?",
      "Who or what is the player that Maud Pell trained?",
      "Which club does Odile Brandt play for?",
    ],
    [
      "Where was the owner of the ferry that Maud Pell steered born?",
      "Who or what is the ferry that Maud Pell steered?",
      "Where was the owner of Odile Brandt born?",
    ],
    [
      "What is the seat of the county where Larkspur Mill is located?",
      "Who or what is the county where Larkspur Mill is located?",
      "What is the seat of Odile Brandt?",
    ],
  ];
  for (const [query, inner, outer] of cases)
    test(query, () => assert.deepEqual(split(query), [inner, outer]));
});

test("a question for nothing else, for something that no name describes, and a long one are left as they are", () => {
  for (const query of [
    "Who is the founder of Larkspur Mill?",
    "Who is Maud Pell's father?",
    "Who is the engineer who built Larkspur Mill?",
    // A character that stands for several words takes as long as these.
    "Where was the founder of Larkspur \ufdfa Mill born?",
    "Who married the engineer who built the mill?",
    "Where was Odile Brandt born?",
    "What is the colour of the old tower near the harbour?",
    "Wie heißt der Gründer der Mühle Larkspur?",
    `Where was the founder of Larkspur Mill born? ${"It matters. ".repeat(60)}`,
  ])
    assert.equal(split(query), null, query);
});
