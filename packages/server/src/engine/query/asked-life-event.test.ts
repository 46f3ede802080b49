import assert from "node:assert/strict";
import { test } from "node:test";
import { summarize } from "./summarize.ts";

const NEAR = { similarity: 0.9, cosine: 0.8, fused: 0.8 };
const ADA =
  "Ada Larsen was a painter. She was born in Osterby in 1871, studied in Lund, and fell in love with the sea.";

/** Whether it is said that nothing answers, of texts of one document each, which are near the question. */
function isDenied(query: string, texts: readonly string[], isRead = false): boolean {
  const chunks = texts.map((text, at) => ({ text, versionId: at + 1, start: 0, ...NEAR }));
  const reading = isRead ? { answer: { versionId: 1, start: 0, end: 9 }, isComplete: true } : null;
  return summarize({ query, chunks, reading }).isDenied;
}

for (const query of [
  "Where did Ada Larsen die?",
  "when did Ada Larsen die",
  "In which town did Ada Larsen die?",
  "What did Ada Larsen die of?",
  "What was Ada Larsen's cause of death?",
  "What is the place of death of Ada Larsen?",
  "date of Ada Larsen’s death",
  "Whom did Ada Larsen marry?",
  "Who was Ada Larsen married to?",
  "Where was Ada Larsen buried?",
])
  test(`"${query}" is not answered by a passage that tells of the birth alone`, () => {
    assert.equal(isDenied(query, [ADA]), true);
    assert.equal(isDenied(query, [ADA], true), true, "where a sentence was read as the answer, too");
  });

test("a question for the birth is answered by it, and not by a death", () => {
  assert.equal(isDenied("Where was Ada Larsen born?", [ADA]), false);
  assert.equal(isDenied("When was Ada Larsen born?", ["Ada Larsen died in Lund."]), true);
});

for (const told of [
  "She died in Lund.",
  "She passed quietly away in Lund.",
  "She drowned off Osterby.",
  "She was killed in the war.",
  "She fell at Lund.",
  "Her death was sudden.",
  "She spent the rest of her life in Lund.",
  "She lived until 1934.",
  "The late Ada Larsen left no will.",
  "Ada Larsen (1871–1934)",
  "Ada Larsen (3 May 1871 in Osterby – 4 May 1934)",
  "† 1934",
  "Her grave is in Lund.",
])
  test(`a passage with "${told}" may tell where somebody died`, () => {
    assert.equal(isDenied("Where did Ada Larsen die?", [`${ADA} ${told}`]), false);
  });

test("the death of somebody in another document is not that of the one who is asked for", () => {
  const other = "Lars Dahl was a painter, too. He died in Bergen.";
  assert.equal(isDenied("Where did Ada Larsen die?", [ADA, other]), true);
  assert.equal(isDenied("Where did Ada Larsen die?", [ADA, "Larsen died in Bergen."]), false);
});

test("what asks for another thing, or for somebody who is only described, is not judged by these words", () => {
  for (const query of [
    "Where did Ada Larsen study?",
    "Who was Ada Larsen teaching when she died?",
    "Where did the teacher of Ada Larsen die?",
    "Did Ada Larsen die?",
  ])
    assert.equal(isDenied(query, [ADA]), false, query);
});

test("a passage in another language is not judged", () => {
  const german =
    "Ada Larsen wurde in Osterby geboren und ist in Lund gestorben, wo sie auch lange gelebt hat.";
  assert.equal(isDenied("Where did Ada Larsen die?", [german]), false);
});
