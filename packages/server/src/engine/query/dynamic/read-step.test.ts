import assert from "node:assert/strict";
import { test } from "node:test";
import type { RankedChunk } from "../../../domain/query.ts";
import { readStep } from "./read-step.ts";
import type { Step, StepRunner } from "./steps.ts";

const BRANDT = "Odile Brandt\nOdile Brandt kept bees.";
const MARRIED = "In 1950 she married Noel Garrick, who was born in Marrick.";

function chunk(text: string, versionId: number): RankedChunk {
  const place = { versionId, position: 0, sourceDocId: `doc-${versionId}`, start: 0, end: text.length };
  return { ...place, text, similarity: 0.5 };
}

/** The reader takes the first of the words that a text has. */
function read(
  texts: readonly (string | RankedChunk)[],
  sought: Parameters<typeof readStep>[2],
  words: Readonly<Record<string, number>>,
) {
  const step: Step = {
    ...{ query: "?", weight: 1, about: null },
    answer: {
      strategyUsed: "",
      summary: "",
      entities: [],
      relationships: [],
      chunks: texts.map((text, at) => (typeof text === "string" ? chunk(text, at) : text)),
    },
  };
  const passages: Pick<StepRunner["passages"], "read"> = {
    read: async (chunks) =>
      chunks.flatMap(({ versionId, position, text, start }) => {
        const found = Object.entries(words).find(([word]) => text.includes(word));
        if (found === undefined) return [];
        const [word, logit] = found;
        const at = start + text.indexOf(word);
        return [{ versionId, position, logit, place: { versionId, start: at, end: at + word.length } }];
      }),
  };
  return readStep(step, { passages } as StepRunner, sought); // Nothing else of the runner is used.
}

test("what a sentence says of another person is no answer; the text around it may have one", async () => {
  const words = { Marrick: 3, Ebbford: 2 };
  const [one, none] = [
    await read([`${BRANDT} She was born in Ebbford. ${MARRIED}`], { name: "odile brandt" }, words),
    await read([`${BRANDT} ${MARRIED}`], { name: "odile brandt" }, words),
  ];
  assert.deepEqual([one.answer?.text, one.answer?.from.sentence], ["Ebbford", "She was born in Ebbford."]);
  assert.equal(one.isOfOthers, false);
  assert.deepEqual([none.answer, none.isOfOthers], [null, true]);
});

test("the passage about the name goes before one that mentions it", async () => {
  const texts = [
    "Night Ferry 2 is the sequel of Night Ferry 1. It is by Tove Lund.",
    "Night Ferry 1 is a film by Ida Rell.",
  ];
  const found = await read(texts, { name: "night ferry 1" }, { "Tove Lund": 3, "Ida Rell": 1 });
  assert.equal(found.answer?.text, "Ida Rell");
});

test("what is said before the name is there is of another thing, however sure the reader is; a third passage may answer", async () => {
  const mill = "Kestrel Mill makes rope. It was founded by Ida Rell. In 1950 it bought Harrow Mill.";
  const sale = "Harrow Mill was sold for 300 crowns.";
  const words = { "Ida Rell": 3, "Jon Feld": 1 };
  const found = await read(
    [mill, sale, "In 1920 Jon Feld founded Harrow Mill."],
    { name: "harrow mill" },
    words,
  );
  assert.equal(found.answer?.text, "Jon Feld");
  assert.deepEqual((await read([mill, sale], { name: "harrow mill" }, words)).answer, null);
  const titled = {
    ...chunk("It was founded by Ida Rell. Harrow Mill makes rope.", 1),
    header: "Harrow Mill",
  };
  assert.equal((await read([titled], { name: "harrow mill" }, words)).answer?.text, "Ida Rell");
});

test("an unsure reader is believed where the words before the answer say the asked role", async () => {
  const sought = { name: "night ferry", role: "the director of the film" };
  for (const [text, expected] of [
    ["Night Ferry is a film. It was directed by Ida Rell.", "Ida Rell"],
    ["Night Ferry is a film of the director Ida Rell.", "Ida Rell"],
    ["Night Ferry is a film. It was shot by Ida Rell.", undefined],
  ] as const)
    assert.equal((await read([text], sought, { "Ida Rell": -3 })).answer?.text, expected, text);
  assert.equal(
    (await read(["Night Ferry by the director Ida Rell."], sought, { "Ida Rell": -5 })).answer,
    null,
  );
});
