import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createTagger } from "./create-tagger.ts";
import { findUnsettledParts } from "./unsettled-parts.ts";

const tag = createTagger();

function unsettledIn(text: string): string {
  const tokens = tag(text, { start: 0, end: text.length });
  const parts = findUnsettledParts(tokens);
  return tokens
    .filter((_, at) => parts[at] === 1)
    .map((token) => token.text)
    .join(" ");
}

/** Between ⟨ and ⟩ stands what the sentence does not tell. */
const cases = [
  // A negation before an insertion.
  "Ida Quarles was not, as the plaque says, ⟨born in Leeds.⟩",
  "Ida Quarles has never – so far as is known – ⟨worked for Orrick.⟩",
  "Ida Quarles was never (though she liked to say so) ⟨married to Tom Belfry.⟩",
  // A clause that somebody else tells, or nobody.
  "It is untrue ⟨that Clara Wynn founded Orrick.⟩",
  "It is a myth ⟨that Clara Wynn founded Orrick⟩, but she did lead it.",
  "It is ⟨not the case that Clara Wynn founded Orrick.⟩",
  "It has been alleged ⟨that Clara Wynn founded Orrick.⟩",
  "There is no evidence ⟨that Clara Wynn founded Orrick.⟩",
  "Nobody believes ⟨that Clara Wynn founded Orrick.⟩",
  "Hardly anyone thinks ⟨Clara Wynn founded Orrick.⟩",
  "Some say ⟨Clara Wynn founded Orrick.⟩",
  "Legend has it ⟨that Clara Wynn founded Orrick.⟩",
  "The rumour, often heard, ⟨that Clara Wynn founded Orrick is old.⟩",
  "Reports ⟨that Clara Wynn founded Orrick were withdrawn.⟩",
  "It was ⟨not Clara Wynn who founded Orrick.⟩",
  "⟨Clara Wynn founded Orrick, or so she claimed.⟩",
  "⟨Clara Wynn, it is claimed, founded Orrick.⟩",
  // In quotation marks.
  'The statement ⟨"Clara Wynn founded Orrick⟩" is untrue.',
  "⟨“Clara Wynn founded Orrick⟩” was only a rumour.",
  // Suppositions.
  "⟨Had Clara Wynn founded Orrick⟩, it would be famous.",
  "⟨Were Orrick acquired by Pellin⟩, farmers would protest.",
  "⟨If Orrick acquires Pellin⟩, both will close.",
  // Exceptions.
  "Everyone but ⟨Sven Holm⟩ worked for Orrick.",
  "Every partner other than ⟨Sven Holm⟩ worked for Orrick.",
  "Sven Holm, not ⟨Per Holm⟩, founded Orrick.",
  "Not ⟨Per Holm⟩ but Sven Holm founded Orrick.",
  // What somebody made up.
  "In the novel⟨, Sven Holm was born in Leeds⟩, but the real one was born in Ulm.",
  "In the television series⟨, Sven Holm works for Orrick.⟩",
  "According to legend⟨, Sven Holm founded Orrick.⟩",
];
const told = [
  "The fact that Clara Wynn founded Orrick is well known.",
  "There is no doubt that Clara Wynn founded Orrick.",
  "It was not until 1990 that Clara Wynn founded Orrick.",
  "The report shows that Clara Wynn founded Orrick.",
  "The court confirmed that Clara Wynn founded Orrick.",
  "Clara Wynn, who denies nothing, founded Orrick.",
  "Nobody but Clara Wynn founded Orrick.",
  "Not only Clara Wynn but also Sven Holm worked for Orrick.",
  "The company that did not pay was acquired by Orrick.",
  "In the story of the firm, Clara Wynn founded Orrick.",
  "In the film, Clara Wynn plays a robot.",
  "In his first film, Sven Holm worked with Clara Wynn.",
  'The film "The False Claim" was directed by Clara Wynn.',
  "“I like it,” said Clara Wynn, who works for Orrick.",
];

for (const text of [...cases, ...told])
  test(text, () => {
    const plain = text.replace(/[⟨⟩]/g, "");
    const expected = /⟨([^⟩]{0,200})⟩/.exec(text)?.[1] ?? "";
    assert.equal(unsettledIn(plain).replace(/ /g, ""), expected.replace(/ /g, ""));
  });

test("The parts are those of any row of these words, each of a known size.", () => {
  const word = fc.constantFrom(
    ...[
      "that",
      "not",
      ",",
      "“",
      "”",
      "but",
      "in",
      "novel",
      "than",
      "it",
      "is",
      "said",
      "if",
      "Orrick",
      "claim",
    ],
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 40 }), (words) => {
      const text = words.join(" ");
      const tokens = tag(text, { start: 0, end: text.length });
      assert.equal(findUnsettledParts(tokens).length, tokens.length);
    }),
  );
});
