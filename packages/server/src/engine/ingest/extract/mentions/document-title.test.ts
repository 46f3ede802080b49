import assert from "node:assert/strict";
import { test } from "node:test";
import { createTagger } from "../statements/create-tagger.ts";
import { saidTitle, titleSubject } from "./document-title.ts";
import { findEntityMentions } from "./find-entity-mentions.ts";

const tag = createTagger();
const tagged = (text: string) => tag(text, { start: 0, end: text.length });

function subjectOf(text: string, title: string): string | null {
  const tokens = tagged(text);
  const range = titleSubject(tokens, title);
  return range && text.slice(tokens[range.from]?.start, tokens[range.to - 1]?.end);
}

test("a sentence that says what the title is has all its words as one name", () => {
  for (const [text, title, name] of [
    ["They Sing Of Harbours is a novel.", "They Sing Of Harbours", "They Sing Of Harbours"],
    ["Smør og brød was a play by Ida Vell.", "Smør og brød (play)", "Smør og brød"],
    [
      '"Ropes, Sheds, and other stories" is a book.',
      "Ropes, Sheds, and other stories",
      "Ropes, Sheds, and other stories",
    ],
    ["Larkspur (1971) is a mill.", "Larkspur", "Larkspur"],
    ["The Old Sheds", "The Old Sheds", "The Old Sheds"],
  ] as const)
    assert.equal(subjectOf(text, title), name, text);
});

test("no other beginning, no small letter and nothing that goes on otherwise is one", () => {
  for (const [text, title] of [
    ["The harbour is wide.", "Harbours of Velden"],
    ["Annual report of the mill to its owners.", "Annual report"],
    ["Ropes are sold here.", "Rope"],
    ["ropes are sold here.", "ropes"],
  ] as const)
    assert.equal(subjectOf(text, title), null, text);
});

test("the title counts only where a sentence says something of it, and then no part of it is a name", () => {
  const title = "My Dear Harbour Master";
  const names = (texts: readonly string[]) => {
    const sentences = texts.map(tagged);
    const said = saidTitle(sentences, title);
    return sentences.map((tokens, at) =>
      findEntityMentions(tokens, said).flatMap(({ kind, variantOf, start, end }) =>
        kind === "proper" && variantOf === null ? [(texts[at] ?? "").slice(start, end)] : [],
      ),
    );
  };
  const sentence = "My Dear Harbour Master is a film by Ida Vell.";
  assert.deepEqual(names([title, sentence]), [[title], [title, "Ida Vell"]]);
  const [alone = []] = names([title, "Ida Vell wrote it."]);
  assert.ok(!alone.includes(title));
});
