import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { RankedChunk } from "../../../domain/query.ts";
import { findYear } from "./find-year.ts";
import type { TimedEvent } from "./stated-year.ts";

function yearOf(event: TimedEvent, ...texts: readonly string[]): number | null {
  const chunks = texts.map((text, at): RankedChunk => {
    const place = { versionId: at + 1, position: 0, sourceDocId: `d${at}`, start: 0, end: text.length };
    return { ...place, text, similarity: 0.5 };
  });
  return findYear(chunks, { name: "Odile Brandt", event })?.year ?? null;
}

const DIED = "Odile Brandt died in 1840.";
const LIFE = "Odile Brandt (3 May 1790 – 2 June 1840) kept bees.";
const built: TimedEvent = ["built"];

describe("a year stands where a sentence states it", () => {
  const cases: readonly (readonly [TimedEvent, ...(readonly string[])])[] = [
    ["died", DIED],
    ["died", `# Odile Brandt\n${DIED}`],
    ["died", "Odile Brandt (keeper of bees)\n\nShe moved to Velden in 1820. She died in 1840."],
    ["died", "Odile Brandt kept bees. She died in Velden in 1840."],
    ["died", "Odile Brandt, Velden\n\nO. M. Brandt (3 May 1790 – 2 June 1840) kept bees."],
    ["died", `${DIED} Maud Pell died in 1850. She kept bees until 1849.`],
    ["died", `Odile Brandt was born in 1790. ${DIED}`],
    ["died", DIED, LIFE],
    ["died", LIFE, "Odile Brandt moved to Velden in 1820."],
    [
      built,
      "Odile Brandt was built in 1840.",
      "Odile Brandt is one of the oldest mills, of the 19th century.",
    ],
  ];
  for (const [event, ...texts] of cases)
    test(texts.join(" / "), () => assert.equal(yearOf(event, ...texts), 1840));
});

describe("it does not stand", () => {
  const cases: readonly (readonly [string, TimedEvent, ...(readonly string[])])[] = [
    ["where two statements differ", "died", DIED, "Odile Brandt died in 1841."],
    ["where a statement differs from brackets", "died", LIFE, "Odile Brandt\n\nShe died in Velden in 1841."],
    ["where it happened twice", built, "Odile Brandt was built in 1840. It was built again in 1950."],
    ["where only another one is told of", "died", "Maud Pell died in 1840.", "Odile Brandt kept bees."],
    [
      "where a pronoun is of another one",
      "died",
      "Odile Brandt kept bees. Maud Pell helped. She died in 1840.",
    ],
    [
      "where a pronoun is of a relative",
      "died",
      "Odile Brandt was a painter. Her brother was a poet. He died in 1840.",
    ],
    [
      "where it is of one below the title",
      "died",
      "Odile Brandt\n\nHer brother was a poet. He died in 1840.",
    ],
    [
      "where the brackets are of another",
      "died",
      "Odile Brandt\n\nOtto Vell (3 May 1790 – 2 June 1840) was her uncle.",
    ],
    [
      "where two lives end differently",
      ["born"],
      "Odile Brandt (3 May 1790 – 2 June 1840) kept bees.",
      "Odile Brandt (3 May 1790 – 2 June 1850) kept bees.",
    ],
    ["where nothing states it", "died", "Odile Brandt kept bees in 1840."],
  ];
  for (const [name, event, ...texts] of cases)
    test(name, () => assert.equal(yearOf(event, ...texts), null, texts.join(" / ")));
});
